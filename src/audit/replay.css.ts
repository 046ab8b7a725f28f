/** The look of a replayed session: readable in light and dark, on paper, and without any script. */
export const REPLAY_CSS = `
:root { color-scheme: light dark; --ink: #1c2128; --dim: #5b6470; --page: #f6f7f9; --card: #ffffff; --line: #d9dee5;
  --yes: #1a7f4b; --no: #b3261e; --ask: #8a5a00; --mark: #2456a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --dim: #98a2ae; --page: #15181c; --card: #1d2126; --line: #343b44;
  --yes: #5cc78d; --no: #ff8a80; --ask: #e8b04a; --mark: #82aaf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; }
.dim { color: var(--dim); }
a { color: var(--mark); }
li p { margin: .25rem 0; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0 0; }
dl.facts dt { color: var(--dim); }
dl.facts dd { margin: 0; }
.verdict { margin: 1rem 0 0; padding: .6rem .9rem; border-left: 4px solid var(--yes); background: var(--card); }
.verdict.bad { border-color: var(--no); }
ol.steps { list-style: none; margin: 0; padding: 0; }
ol.steps > li { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; padding: .55rem 0; border-top: 1px solid var(--line); }
.at { color: var(--dim); font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.at small { display: block; }
.what { margin: 0; }
.what b { font-weight: 600; }
.tag { display: inline-block; padding: 0 .45em; margin: 0 .25em .15em 0; border: 1px solid var(--line); border-radius: 3px; font-size: .85em; }
.yes { color: var(--yes); } .no { color: var(--no); } .ask { color: var(--ask); } .kind { color: var(--mark); }
.card { margin: .3rem 0 0; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.card p { margin: 0 0 .35rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
figure { margin: .4rem 0 0; }
figure img { max-width: 100%; height: auto; border: 1px solid var(--line); background: var(--card); }
figcaption { color: var(--dim); font-size: .85em; }
details { margin: .25rem 0 0; }
summary { color: var(--dim); cursor: pointer; font-size: .9em; }
pre { margin: .3rem 0 0; padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
  font: 12.5px/1.45 ui-monospace, Consolas, monospace; white-space: pre-wrap; }
code { font: .92em ui-monospace, Consolas, monospace; }
@media (max-width: 40rem) { ol.steps > li { grid-template-columns: 1fr; } .at { text-align: left; } .at small { display: inline; } }
@media print { body { max-width: none; padding: 0; } details { display: block; } ol.steps > li { break-inside: avoid; } }
`;
