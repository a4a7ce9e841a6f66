extension DocumentationPage {
    /// One style for all pages.
    ///
    /// Logical sides throughout, so that it mirrors for scripts written from the right.
    static let style = #"""

        :root {
          color-scheme: light dark;
          --ground: #f6f7fb; --sheet: #ffffff; --ink: #1b2130; --quiet: #5a6376; --line: #dfe3ec; --code: #f0f2f8;
          --accent: #3552c8; --accent-ink: #ffffff; --good: #14713c; --bad: #b3261e; --odd: #8a5a00;
          --get: #1f6f3f; --post: #2450b8; --put: #85570a; --patch: #6b3fa0; --delete: #b02a30; --other: #4d5768;
          --shadow: 0 1px 2px rgb(20 30 60 / 6%), 0 4px 16px rgb(20 30 60 / 5%);
        }
        @media (prefers-color-scheme: dark) {
          :root:not([data-theme=light]) {
            --ground: #11141b; --sheet: #191d27; --ink: #e6e9f2; --quiet: #a0a9bd; --line: #2c3342; --code: #222836;
            --accent: #93abff; --accent-ink: #10131b; --good: #6fd699; --bad: #ff9d94; --odd: #e8bd6b;
            --get: #6fd699; --post: #93b4ff; --put: #e8bd6b; --patch: #c9a6f5; --delete: #ff9a9f; --other: #b3bccd;
            --shadow: none;
          }
        }
        :root[data-theme=light] { color-scheme: light; }
        :root[data-theme=dark] {
          color-scheme: dark;
          --ground: #11141b; --sheet: #191d27; --ink: #e6e9f2; --quiet: #a0a9bd; --line: #2c3342; --code: #222836;
          --accent: #93abff; --accent-ink: #10131b; --good: #6fd699; --bad: #ff9d94; --odd: #e8bd6b;
          --get: #6fd699; --post: #93b4ff; --put: #e8bd6b; --patch: #c9a6f5; --delete: #ff9a9f; --other: #b3bccd;
          --shadow: none;
        }
        * { box-sizing: border-box; }
        html { scroll-padding-block-start: 5.5rem; }
        body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
        a { color: var(--accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
        main:focus { outline: none; }
        h1, h2, h3, h4, p { margin: 0; }
        h1 { font-size: 1.65rem; letter-spacing: -.02em; }
        h2 { font-size: 1.1rem; margin-block: 2rem .6rem; text-transform: capitalize; }
        h4 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); margin-block: 1.2rem .4rem; }
        code, pre, textarea, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; font-size: .87em; }
        code, .path { direction: ltr; unicode-bidi: isolate; }
        .skip { position: absolute; inset-inline-start: -100vw; }
        .skip:focus { position: static; display: block; padding: .5rem 1.5rem; }
        header, .columns, #tools > div, body > main { max-width: 84rem; margin-inline: auto; padding-inline: 1.5rem; }
        header { padding-block: 1.8rem 1rem; }
        header p { color: var(--quiet); max-width: 46rem; margin-block-start: .25rem; }
        .name { display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; }
        .version, .count { color: var(--quiet); border: 1px solid var(--line); border-radius: 99px; padding: 0 .55rem; font-size: .8rem; }
        #tools { position: sticky; inset-block-start: 0; z-index: 2; background: var(--ground); border-block-end: 1px solid var(--line); }
        #tools > div { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding-block: .6rem; }
        #tools input[type=search] { flex: 1 1 16rem; }
        #tools .found { color: var(--quiet); font-size: .85rem; min-width: 7rem; }
        input, select, textarea, button { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .38rem .65rem; max-width: 100%; }
        input, textarea { min-width: 0; }
        input::placeholder { color: var(--quiet); opacity: 1; }
        textarea { width: 100%; min-height: 9rem; resize: vertical; line-height: 1.5; direction: ltr; }
        button { cursor: pointer; }
        button:hover { border-color: var(--accent); }
        button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
        .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2rem; align-items: start; padding-block: 1rem 4rem; }
        .columns > main { min-width: 0; }
        nav { position: sticky; inset-block-start: 4.2rem; max-height: calc(100vh - 5rem); overflow-y: auto; font-size: .87rem; padding-block-end: 1rem; }
        nav h3 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); margin-block: 1rem .2rem; padding-inline: .5rem; }
        nav ul { list-style: none; margin: 0; padding: 0; }
        nav a { display: flex; gap: .5rem; align-items: baseline; padding: .16rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; }
        nav a:hover, nav a[aria-current] { background: var(--code); }
        nav .method { flex: none; width: 4.4em; font-size: .65rem; white-space: nowrap; }
        .method { font-weight: 700; font-size: .78rem; letter-spacing: .02em; color: var(--other); direction: ltr; unicode-bidi: isolate; }
        .get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
        article { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; margin-block-end: .6rem; box-shadow: var(--shadow); }
        article h3 { font-size: 1rem; font-weight: inherit; }
        article h3 > button { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: baseline; width: 100%; text-align: start; border: 0; background: none; padding: .7rem 1rem; border-radius: 12px; }
        article h3 .method { width: 4.2em; white-space: nowrap; }
        article h3 .path { font-weight: 600; font-size: .93rem; }
        article h3 .what { color: var(--quiet); flex: 1 1 14rem; }
        .badge { font-size: .72rem; border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; color: var(--quiet); white-space: nowrap; }
        .inside { border-block-start: 1px solid var(--line); padding: .2rem 1rem 1rem; }
        table { border-collapse: collapse; width: 100%; font-size: .92rem; }
        td, th { text-align: start; vertical-align: top; padding: .3rem 0; padding-inline-end: .9rem; border-block-end: 1px solid var(--line); }
        th { font-weight: 600; color: var(--quiet); font-size: .8rem; }
        td:first-child { width: 32%; }
        .inside > .note:first-child { margin-block-start: .6rem; }
        .answers p.type:has(> code) { margin-block-start: .6rem; }
        .type { color: var(--quiet); font-size: .85rem; }
        .must { color: var(--bad); font-size: .75rem; font-weight: 600; }
        ul.members { list-style: none; margin: 0; padding: 0; padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); }
        ul.members li { padding-block: .22rem; }
        ul.members p, td p { color: var(--quiet); font-size: .9rem; }
        summary { cursor: pointer; }
        details > summary { color: var(--accent); font-size: .87rem; width: fit-content; }
        pre { background: var(--code); border-radius: 8px; padding: .7rem .9rem; margin: .4rem 0; overflow: auto; max-height: 32rem; direction: ltr; text-align: left; white-space: pre-wrap; line-height: 1.5; }
        pre.text { direction: inherit; unicode-bidi: plaintext; text-align: start; }
        pre .key { color: var(--post); } pre .string { color: var(--get); } pre .number { color: var(--put); } pre .word { color: var(--patch); }
        .answers > details { border: 1px solid var(--line); border-radius: 8px; padding: .35rem .8rem; margin-block-end: .4rem; }
        .answers > details > summary { color: inherit; width: auto; font-size: .93rem; }
        .status { font-weight: 700; } .ok { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); }
        .fields { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr); gap: .45rem .9rem; align-items: start; }
        .fields label { padding-block-start: .35rem; }
        .fields label small { display: block; color: var(--quiet); }
        .fields input:not([type=file]), .fields select { width: 100%; }
        .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-block: .8rem .2rem; }
        .try { margin-block-start: 1.4rem; border: 1px solid var(--line); border-radius: 10px; padding: .1rem 1rem 1rem; }
        .note { color: var(--quiet); font-size: .88rem; }
        .error { color: var(--bad); }
        .panel { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: .2rem 1rem 1rem; margin-block-end: 1rem; box-shadow: var(--shadow); }
        img.shown { max-width: 100%; max-height: 24rem; display: block; margin-block: .4rem; background: var(--code); border-radius: 8px; }
        .cards { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
        .cards a { display: flex; flex-direction: column; gap: .4rem; align-items: start; height: 100%; padding: 1.1rem 1.2rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none; box-shadow: var(--shadow); }
        .cards a:hover { border-color: var(--accent); }
        .cards strong { font-size: 1.1rem; color: var(--accent); }
        ul.plain { padding-inline-start: 1.2rem; }
        [hidden] { display: none !important; }
        @media (max-width: 56rem) {
          .columns { grid-template-columns: minmax(0, 1fr); }
          nav { display: none; }
          .fields { grid-template-columns: minmax(0, 1fr); }
          header, .columns, #tools > div, body > main { padding-inline: 1rem; }
        }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
        @media print { #tools, nav, .try { display: none; } .columns { grid-template-columns: 1fr; } }

        """#
}
