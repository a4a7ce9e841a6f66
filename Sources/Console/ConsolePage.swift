import APIDocs
import HTTPMessage

/// The one HTML page of the console.
///
/// Without script it lists the APIs; so its content depends on the addresses by which it is asked.
struct ConsolePage: Sendable {
    private let template: PageTemplate

    init(template: String) { self.template = PageTemplate(template) }

    func response(_ head: RequestHead, apis: [ConsoleSite.API]) -> Response {
        let page = template.filled([
            "apis": .list(
                apis.map {
                    [
                        "title": .text($0.title), "name": .text($0.name), "origin": .text($0.origin),
                        "endpoints": .text("\($0.endpoints)"),
                    ]
                }
            )
        ])
        return Representations(Array(page.utf8)).response(head, fields: PagePolicy.fields)
    }
}
