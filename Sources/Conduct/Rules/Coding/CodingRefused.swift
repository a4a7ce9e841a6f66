import Basics
import ConductKit
import HTTPMessage

/// `coding/refused`.
struct CodingRefused: ConductRule {
    static let declaration = RuleDeclaration(
        "coding/refused",
        "Body in a coding that the endpoint doesn't take",
        .error,
        situation: "a request with content and `Content-Encoding`",
        breach: """
            415 for its coding, and no request of the client to the route without it after that; or the same coding again \
            after it
            """,
        excused: ["a 415 that does not name the coding, neither in its content nor by `Accept-Encoding`"],
        source: [.rfc(9110, "8.4"), .rfc(9110, "15.5.16"), .rfc(7694, "3")],
        exercisedBy: ["a request with `Content-Encoding: gzip` to an API that takes none"],
        what: "The body of a request was sent in a coding that the endpoint does not take.",
        why: "The server refuses it, and what the user entered is lost.",
        expected: "Send the body without `Content-Encoding`, or in a coding that the server's `Accept-Encoding` names.",
        urlsession: """
            Send the body as it is, and compress it only for a server that is known to take the coding:

                if response.statusCode == 415, request.value(forHTTPHeaderField: "Content-Encoding") != nil {
                    request.setValue(nil, forHTTPHeaderField: "Content-Encoding")
                    request.httpBody = plain
                }
            """,
        fetch: """
            Send the body as it is, and compress it only for a server that is known to take the coding:

                if (response.status === 415 && headers.has("Content-Encoding")) {
                  headers.delete("Content-Encoding")
                  response = await fetch(url, { method, headers, body: plain })
                }
            """
    )

    private struct Place: Hashable {
        var client: Int32
        var route: Int32
    }

    private struct Refusals {
        /// The first refusal of each coding.
        var firsts: [(coding: String, row: Int32)] = []
        /// The refusals that a request in another form takes back.
        var open: [(coding: String, row: Int32)] = []
    }

    private static let acceptEncoding: FieldName = "Accept-Encoding"

    private var places: [Place: Refusals] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.body.length > 0 else { return }
        let coding = Self.coding(x)
        let place = Place(client: x.row.client, route: x.row.route)
        if coding != nil { context.situation(x) }
        // A client may know an answer before it has to.
        let others = places[place]?.open.filter { $0.coding != coding && x.row.begin >= context[$0.row].end } ?? []
        for item in others { context.withdraw([item.row]) }
        if !others.isEmpty { places[place]?.open.removeAll { item in others.contains { $0.row == item.row } } }
        guard let coding, Self.isRefused(x, coding) else { return }
        let first = places[place]?.firsts.first { $0.coding == coding }
        if let first, context.knows(context[first.row], x.row) {
            context.breach(
                [first.row, x.index],
                "\(context.id(first.row)) was answered 415 for its coding `\(coding)`; \(x.row.id) came in it again."
            )
            return
        }
        if first == nil { places[place, default: Refusals()].firsts.append((coding, x.index)) }
        places[place, default: Refusals()].open.append((coding, x.index))
        context.breach([x.index], "\(x.row.id) came in the coding `\(coding)`, and was answered 415.")
    }

    /// The codings of a request's content; nil if there are none.
    private static func coding(_ x: JudgedExchange) -> String? {
        let names = x.exchange.fields.listElements(.contentEncoding).map(plain).filter { $0 != "identity" }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
    }

    /// Tells whether a request was refused for its coding, and not for its type.
    private static func isRefused(_ x: JudgedExchange, _ coding: String) -> Bool {
        guard x.row.isDelivered, x.row.status == 415 else { return false }
        let names = coding.split(separator: ",").map { $0.filter { $0 != " " } }
        let taken = x.exchange.responseFields.listElements(acceptEncoding)
        if x.exchange.responseFields.contains(acceptEncoding) {
            return !names.allSatisfy { name in taken.contains { takes($0, name) } }
        }
        let text = String(decoding: x.exchange.responseBody.bytes, as: UTF8.self).lowercased()
        return text.contains("content-encoding") || names.contains { text.contains($0) }
    }

    /// Tells whether an element of `Accept-Encoding` takes a coding.
    private static func takes(_ element: String, _ name: String) -> Bool {
        let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let first = parts.first.map(plain), first == name || first == "*" else { return false }
        let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }?.dropFirst(2)
        return !(weight?.allSatisfy { $0 == "0" || $0 == "." } ?? false)
    }
}
