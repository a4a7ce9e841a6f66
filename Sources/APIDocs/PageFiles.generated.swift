// Made by scripts/embed-pages from Sources/APIDocs/Pages; do not edit.
// swift-format-ignore-file

/// The files of the documentation pages.
enum PageFiles {
    static let indexHTML = ####"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>APIs · Understudy</title>
<link rel="icon" href="/__admin/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/__admin/console/kit/tokens.css">
<link rel="stylesheet" href="/__admin/console/docs/docs.css">
</head>
<body>
<header>
<div class="name"><h1>APIs</h1></div>
<p>All emulated APIs with their operations, schemas and examples, to read and to try out.</p>
<p class="links"><a href="{{prefix}}/">Back to the console</a></p>
</header>
<main><ul class="cards">
{{#entries}}
<li><a href="{{prefix}}/docs/{{name}}"><strong dir="auto">{{title}}</strong>
<span dir="auto">{{description}}</span>
<span class="count">{{operations}} operations</span></a></li>
{{/entries}}
</ul></main>
</body>
</html>

"""####

    static let pageHTML = ####"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}} · Understudy</title>
<link rel="icon" href="/__admin/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/__admin/console/kit/tokens.css">
<link rel="stylesheet" href="/__admin/console/docs/docs.css">
</head>
<body data-page="{{page}}" data-document="{{document}}" data-mount="{{mount}}" data-tokens="{{tokens}}" data-admin="{{admin}}">
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<div class="name"><h1 dir="auto">{{title}}</h1> <span class="version">{{version}}</span></div>
<p dir="auto">{{description}}</p>
<p class="links">OpenAPI document: <a id="document" href="{{document}}">{{document}}</a>{{#console}} · <a href="{{prefix}}/docs/">All APIs</a> · <a href="{{prefix}}/">Console</a>{{/console}}</p>
</header>
<div id="tools"></div>
<div class="columns">
<nav id="contents" aria-label="Operations"></nav>
<main id="operations" tabindex="-1">
<ul class="plain">
{{#operations}}
<li><code>{{method}} {{path}}</code> <span dir="auto">{{summary}}</span>{{access}}</li>
{{/operations}}
</ul>
</main>
</div>
<script type="module" src="/__admin/console/docs/page.js"></script>
</body>
</html>

"""####

    /// The name and the text of each file, in the order of the names.
    static let all: [(name: String, text: String)] = [
        ("index.html", indexHTML),
        ("page.html", pageHTML),
    ]
}
