import ConductKit
import HTTPMessage

/// `trafikskola/config-fallback`.
struct TrafikskolaConfigFallback: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/config-fallback",
        "Failed config requested repeatedly",
        .warning,
        situation: "a failed config",
        breach: "after a failed config, a second retry within `withinSeconds`",
        settings: [(.withinSeconds, 900)],
        exercisedBy: ["trafikskola/config-500", #"{"status":500} on the config"#],
        what: "A failed config was retried more than once.",
        why: "The app hangs at launch where the defaults would do.",
        expected: "Retry a failed config once, then use the defaults for 15 minutes.",
        swift: "let config = (try? await load()) ?? (try? await load()) ?? .standard",
        script: "const config = await load().catch(load).catch(() => standard)"
    )

    private var chains: [Int32: (rows: [Int32], isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("trafikskola", TrafikskolaRoutes.config) else { return }
        guard !x.row.isAutomatic else {
            if !x.row.isFailed { chains[x.row.place] = nil }
            return
        }
        if var chain = chains[x.row.place], let first = chain.rows.first, context.sawEnd(context[first], x.row) {
            if Fairness.pause(context[first], x.row) <= context.limits(x).seconds(.withinSeconds) {
                chain.rows.append(x.index)
                if chain.rows.count == 3, !chain.isReported {
                    chain.isReported = true
                    context.breach(chain.rows, "\(context.id(first)) failed; \(x.row.id) was the second retry.")
                }
                chains[x.row.place] = x.row.isFailed ? chain : nil
                if x.row.isFailed { context.situation(x) }
                return
            }
            chains[x.row.place] = nil
        }
        guard x.row.isFailed else { return }
        context.situation(x)
        if chains[x.row.place] == nil { chains[x.row.place] = ([x.index], false) }
    }
}

/// `trafikskola/bundled-images`.
struct TrafikskolaBundledImages: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/bundled-images",
        "HTML page fetched repeatedly as an image",
        .warning,
        situation: "an image answered 200 `text/html`",
        breach: "an image that was answered 200 `text/html`, requested `times` more times",
        settings: [(.times, 2)],
        exercisedBy: ["trafikskola/logo-html"],
        what: "An image that was answered with an HTML page was fetched again and again.",
        why: "The user sees no image and pays for the data.",
        expected: "Accept image types only, and show the built-in image otherwise.",
        swift: "guard response.mimeType?.hasPrefix(\"image/\") == true else { return .builtIn }",
        script: "if (!type.startsWith(\"image/\")) return builtIn"
    )

    private var chains: [Int32: (rows: [Int32], isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("trafikskola", TrafikskolaRoutes.images), x.isGet, x.row.request >= 0 else { return }
        let isPage =
            x.row.isDelivered && x.row.status == 200
            && x.exchange.responseFields[.contentType]?.lowercased().hasPrefix("text/html") == true
        if isPage { context.situation(x) }
        guard var chain = chains[x.row.request], let first = chain.rows.first, context.knows(context[first], x.row)
        else {
            if isPage { chains[x.row.request] = ([x.index], false) }
            return
        }
        chain.rows.append(x.index)
        if !chain.isReported, chain.rows.count > context.limits(x)[.times] {
            chain.isReported = true
            context.breach(
                chain.rows,
                "\(context.id(first)) was an HTML page; the same image was fetched again up to \(x.row.id)."
            )
        }
        chains[x.row.request] = chain
    }
}
