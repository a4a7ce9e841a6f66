import JSON

/// The files of an API that begins without a source: a stub, a table and a scenario.
enum StarterFiles {
    static let files = [stub, TableFiles.file("items"), scenario]

    private static let stub = Scaffold.File(
        path: "stubs/hello.json",
        json: [
            "name": "says hello",
            "match": ["method": "GET", "path": "/hello"],
            "response": ["body": ["message": "Hello, {{query.name ?? world}}", "at": "{{now}}"]],
        ]
    )

    private static let scenario = Scaffold.File(
        path: "scenarios/no-items.json",
        json: [
            "title": "The list of items is empty",
            "expect": "The empty state of the list, and a way to add an item",
            "changes": [["table": "items", "where": [:], "delete": true]],
        ]
    )
}
