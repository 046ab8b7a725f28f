module uiahost-walk-target

go 1.21

require (
	github.com/lxn/walk v0.0.0-20210112085537-c389da54e794
	github.com/lxn/win v0.0.0-20210218163916-a377121e959e
	gopkg.in/Knetic/govaluate.v3 v3.0.0
)

require golang.org/x/sys v0.0.0-20201018230417-eeed37f84f13 // indirect

replace gopkg.in/Knetic/govaluate.v3 => github.com/Knetic/govaluate v3.0.0+incompatible
