// The selftest's fixed texts: what Windows PowerShell reads from its standard input, and a page. Nothing is ever put into them.
// Each window writes into its title what its program got, for a second witness. PowerShell reads a statement a line.

const DUMMY = `$x = New-Object Windows.Forms.Form -Property @{ Opacity = 0; ShowInTaskbar = $false }; $x.Show(); $x.Close()`;
const NAMESPACE = 'xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation"';

/** Windows Forms. The first window of a program that was started hidden is hidden: that is another one. */
export const FORMS = String.raw`
Add-Type -AssemblyName System.Windows.Forms
${DUMMY}
$f = New-Object Windows.Forms.Form -Property @{ Text = 'uiahost selftest forms'; Width = 520; Height = 460; StartPosition = 'CenterScreen' }
function Say($what) { $f.Text = "uiahost selftest forms: $what" }
function Put($type, $name, $y, $more) { $c = New-Object "Windows.Forms.$type" -Property (@{ AccessibleName = $name; Left = 20; Top = $y; Width = 440 } + $more); $f.Controls.Add($c); $c }
$text = Put TextBox Customer 10 @{}; $text.add_TextChanged({ Say "text $($text.Text)" })
$check = Put CheckBox 'Express delivery' 40 @{ Text = 'Express delivery' }; $check.add_CheckedChanged({ Say "check $($check.Checked)" })
$combo = Put ComboBox Product 70 @{ DropDownStyle = 'DropDownList' }; $combo.Items.AddRange(@('Tea', 'Coffee', 'Cocoa')); $combo.add_SelectedIndexChanged({ Say "combo $($combo.SelectedItem)" })
$list = Put ListBox Payment 100 @{ Height = 60 }; $list.Items.AddRange(@('Invoice', 'Card')); $list.add_SelectedIndexChanged({ Say "list $($list.SelectedItem)" })
$grid = Put DataGridView Orders 165 @{ Height = 90; ColumnCount = 2; SelectionMode = 'FullRowSelect'; AllowUserToAddRows = $false }; foreach ($n in '2026-0001', '2026-0002') { [void]$grid.Rows.Add($n, 'Ada') }; $grid.ClearSelection(); $grid.add_SelectionChanged({ Say "grid $($grid.SelectedRows[0].Cells[0].Value)" })
$notes = Put RichTextBox Notes 260 @{ Height = 40 }; $notes.add_TextChanged({ Say "notes $($notes.Text.Length) $($notes.CanUndo)" })
$sleep = Put Button Sleep 310 @{ Text = 'Sleep' }; $sleep.add_Click({ [Threading.Thread]::Sleep(4000); Say awake })
$ask = Put Button Details 340 @{ Text = 'Details' }; $ask.add_Click({ $d = New-Object Windows.Forms.Form -Property @{ Text = 'Order details'; Width = 300; Height = 140 }; $field = New-Object Windows.Forms.TextBox -Property @{ AccessibleName = 'Comment'; Width = 200 }; $d.Controls.Add($field); $d.Controls.Add((New-Object Windows.Forms.Button -Property @{ Text = 'OK'; DialogResult = 'OK'; Top = 40 })); [void]$d.ShowDialog($f); Say "dialog $($field.Text)" })
[void]$f.ShowDialog()
`;

/** WPF, with a field of Windows Forms inside. */
export const WPF = String.raw`
Add-Type -AssemblyName PresentationFramework, WindowsFormsIntegration, System.Windows.Forms
${DUMMY}
$w = [Windows.Markup.XamlReader]::Parse('<Window ${NAMESPACE} Title="uiahost selftest WPF" Width="520" Height="460"><StackPanel><TextBox Name="text" AutomationProperties.Name="Customer"/><CheckBox Name="check" Content="Express delivery"/><ComboBox Name="combo" AutomationProperties.Name="Product"/><ListBox Name="list" AutomationProperties.Name="Rows" Height="90"/><DataGrid Name="grid" AutomationProperties.Name="Orders" Height="90" IsReadOnly="True"/><PasswordBox AutomationProperties.Name="Password"/><Button Name="press" Content="Press"/><Button Name="ask" Content="Details"/></StackPanel></Window>')
function Say($what) { $w.Title = "uiahost selftest WPF: $what" }
foreach ($name in 'text', 'check', 'combo', 'list', 'grid', 'press', 'ask') { Set-Variable $name $w.FindName($name) }
$text.add_TextChanged({ Say "text $($text.Text)" }); $check.add_Click({ Say "check $($check.IsChecked)" }); $press.add_Click({ Say pressed })
foreach ($n in 'Tea', 'Coffee', 'Cocoa') { [void]$combo.Items.Add($n) }; $combo.add_SelectionChanged({ Say "combo $($combo.SelectedItem)" })
foreach ($n in 1..1000) { [void]$list.Items.Add("Row $n") }; $list.add_SelectionChanged({ Say "list $($list.SelectedItem)" })
$t = New-Object Data.DataTable; [void]$t.Columns.Add('Number'); foreach ($n in '2026-0001', '2026-0002') { [void]$t.Rows.Add($n) }; $grid.ItemsSource = $t.DefaultView; $grid.add_SelectionChanged({ Say "grid $($grid.SelectedItem['Number'])" })
[void]$w.Content.Children.Add((New-Object Windows.Forms.Integration.WindowsFormsHost -Property @{ Height = 24; Child = (New-Object Windows.Forms.TextBox -Property @{ AccessibleName = 'Hosted' }) }))
$ask.add_Click({ $global:d = [Windows.Markup.XamlReader]::Parse('<Window ${NAMESPACE} Title="Order details" Width="300" Height="140"><StackPanel><TextBox Name="field" AutomationProperties.Name="Comment"/><Button Name="ok" Content="OK"/></StackPanel></Window>'); $d.Owner = $w; $d.FindName('ok').add_Click({ $d.Close() }); [void]$d.ShowDialog(); Say "dialog $($d.FindName('field').Text)" })
[void]$w.ShowDialog()
`;

export const PAGE = `<!doctype html>
<meta charset="utf-8"><title>uiahost selftest page</title>
<script>const say = (what) => { document.title = 'uiahost selftest page' + location.hash + (what ? ': ' + what : ''); }; say('');</script>
<p><label>Customer <input oninput="say('text ' + value)"></label>
<p><label><input type="checkbox" onclick="say('check ' + (checked ? 'True' : 'False'))">Express delivery</label>
<p><label>Product <select onchange="say('combo ' + value)"><option>Tea<option>Coffee<option>Cocoa</select></label>
<p><label>Password <input type="password"></label>
<p><button onclick="say('pressed')">Press</button>
`;
