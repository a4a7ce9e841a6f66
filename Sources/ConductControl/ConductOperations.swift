import Backend
import Basics
import CivilTime
package import ConductKit
package import Control
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

extension ControlAdditions {
    /// The judgement of clients: its operations, and the settings of each world for it.
    package static func conduct(_ rules: RuleRegistry) -> ControlAdditions {
        ControlAdditions(
            operations: ConductOperations(rules: rules).all,
            settings: [
                WorldSetting("conduct") { hosted in
                    ConductSettings(stored: hosted.world.conduct, rules).json
                } change: { check, hosted, emulator in
                    let apis = emulator.apis.map(\.identity.name)
                    let changed = check.inner("conduct") { check in
                        var settings = ConductSettings(stored: hosted.world.conduct, rules)
                        settings.change(&check, rules, apis: .of(apis))
                        return settings
                    }
                    guard let changed else { return nil }
                    return { hosted.world.conduct = changed.stored }
                }
            ]
        )
    }
}

/// The judgement of clients by the rules of a build (conduct contract, section 9).
struct ConductOperations: Sendable {
    let rules: RuleRegistry

    private static let parameters = [
        Parameter("user", in: .query, .string(), "Only clients of this user, by e-mail or id"),
        Parameter(
            "since",
            in: .query,
            .integer(minimum: 0),
            "Only breaches and situations from exchanges with a larger seq"
        ),
        Parameter("rule", in: .query, .string(), "A rule, the name of an instance or a glob; may be repeated"),
        Parameter("world", in: .query, .string(), "The world, as in the header; * judges all worlds"),
        Parameter(
            "failOn",
            in: .query,
            .string(enumeration: ConductFailure.allCases.map(\.rawValue)),
            "The lowest severity that fails the verdict; the setting failOn if absent"
        ),
        Parameter(
            "format",
            in: .query,
            .string(enumeration: ConductFormat.allCases.map(\.rawValue)),
            "The format of the report; json if absent"
        ),
    ]

    private enum PageFormat: String, CaseIterable { case json, markdown, html }

    var all: [ControlOperation] {
        [
            ControlOperation(
                .get,
                "/conduct",
                "Judges the clients of the world from its journal",
                reads: .endpoints,
                parameters: Self.parameters,
                answers: [
                    Schemas.answer("ConductReport", Self.reportSchema, "The report; 200 with the verdict fail too")
                ]
                    + Self.others(ConductFormat.allCases.map(\.contentType), "The report in another format"),
                repeated: ["rule"],
                act: { call throws(Problem) in try report(call) }
            ),
            ControlOperation(
                .get,
                "/conduct/rules",
                "Lists the rules by which clients are judged",
                reads: .endpoints,
                isList: true,
                answers: [
                    Schemas.answer(
                        "ConductRules",
                        Schemas.list(Self.ruleSchema([])),
                        "Generic rules, then those of each API"
                    )
                ]
            ) { call throws(Problem) in try call.list(RulePage.list(rules)) },
            ControlOperation(
                .get,
                "/conduct/rules/{id…}",
                "Returns a rule with its explanation",
                reads: .endpoints,
                parameters: [
                    Parameter(
                        "id",
                        in: .path,
                        .described(.string(), example: "auth/repeat-after-401"),
                        "The rule, or the name of an instance"
                    ),
                    Parameter(
                        "format",
                        in: .query,
                        .string(enumeration: PageFormat.allCases.map(\.rawValue)),
                        "The format of the page; json if absent"
                    ),
                ],
                answers: [
                    Schemas.answer(
                        "ConductRule",
                        Self.ruleSchema(Self.pageMembers),
                        "The rule, with its reasons and the fix"
                    )
                ]
                    + Self.others(
                        ["text/markdown; charset=utf-8", "text/html; charset=utf-8"],
                        "The page in another format"
                    )
            ) { call throws(Problem) in try page(call) },
        ]
    }

    /// Declares the answers that are no JSON, each type once.
    private static func others(_ types: [String], _ description: String) -> [AnswerDeclaration] {
        var declared: [String] = []
        for type in types where !type.hasPrefix("application/json") && !declared.contains(type) {
            declared.append(type)
        }
        return declared.map { AnswerDeclaration(.ok, description, .text(contentType: $0)) }
    }

    // MARK: Calls

    private func page(_ call: ControlCall) throws(Problem) -> Response {
        let format = try call.choice("format", PageFormat.self) ?? .json
        let id = call.parameters[0]
        let page: RulePage
        do throws(UnknownRule) {
            page = try RulePage(id, in: rules)
        } catch {
            throw Problem(.notFound, "There is no rule \"\(id.cut)\"." + Suggestion.question(error.nearest))
        }
        switch format {
        case .json: return ControlAnswer.json(page.json)
        case .markdown: return Self.text(page.markdown, "text/markdown; charset=utf-8")
        case .html: return PlainPage(html: page.html).response
        }
    }

    private static func text(_ text: String, _ type: String) -> Response {
        Response(status: .ok, fields: [.contentType: type], body: .bytes(Array(text.utf8)))
    }

    private func report(_ call: ControlCall) throws(Problem) -> ControlDecision {
        var filter = ReportFilter()
        filter.user = call.query.last("user")
        filter.since = UInt64(try call.number("since", default: 0))
        filter.api = call.api.map { call.emulator.apis[$0].identity.name }
        for name in call.query.all("rule") {
            do throws(UnknownRule) {
                try rules.add(name, to: &filter)
            } catch {
                let reason = "must be a rule, the name of an instance or a glob that fits one"
                throw Problem(
                    .invalidBody,
                    "The query parameter rule \(reason), found \"\(name.cut)\"." + Suggestion.question(error.nearest),
                    items: [Problem.Item(path: "?rule", reason: reason)]
                )
            }
        }
        let failOn = try call.choice("failOn", ConductFailure.self)
        let format = try call.choice("format", ConductFormat.self) ?? .json
        let worlds = try worlds(call)
        let today = String(call.hostTime.wall.iso8601(.milliseconds).prefix(10))
        let isMerged = call.query.last("world") == "*"
        let isShort = worlds.count == 1 && worlds.allSatisfy { $0.journal.isShort }
        let wanted = filter
        return ControlJob.Work(isShort: isShort, .searches) { (_: Wanted) throws(Problem) in
            let reports = worlds.map { world in
                let report = world.report(wanted, today: today) { context in
                    if let failOn { context.failOn = failOn }
                }
                return (world.world, report)
            }
            let report = isMerged ? JudgementReport.merged(reports) : reports[0].1
            return answer(report, format)
        }.reply
    }

    private func answer(_ report: JudgementReport, _ format: ConductFormat) -> Response {
        let bytes = format.render(report, rules)
        guard format != .html else { return PlainPage(html: String(decoding: bytes, as: UTF8.self)).response }
        return Response(status: .ok, fields: [.contentType: format.contentType], body: .bytes(bytes))
    }

    private func worlds(_ call: ControlCall) throws(Problem) -> [ConductJudgement] {
        guard let name = call.query.last("world") else {
            return [ConductJudgement(try call.world(), call.emulator, rules, proxy: call.host.forwardProxy)]
        }
        if name == "*" {
            return call.emulator.worldNames.compactMap { name in
                call.emulator[world: name].map {
                    ConductJudgement($0, call.emulator, rules, proxy: call.host.forwardProxy)
                }
            }
        }
        return [ConductJudgement(try call.world(named: name), call.emulator, rules, proxy: call.host.forwardProxy)]
    }

    // MARK: Schemas

    private static let pageMembers: [(String, JSONSchema)] = [
        ("what", .string()), ("why", .string()),
        ("fix", Schemas.object([("urlsession", .string()), ("fetch", .string())])),
    ]

    private static let source = Schemas.object([("title", .string())], optional: [("url", .string())])
    private static let severity = JSONSchema.string(enumeration: ConductSeverity.allCases.map(\.rawValue))

    private static func ruleSchema(_ more: [(String, JSONSchema)]) -> JSONSchema {
        Schemas.object(
            [
                ("id", .string()), ("title", .string()), ("severity", severity), ("situation", .string()),
                ("breach", .string()), ("excused", .array(.string())), ("settings", .object(JSONSchema.Object())),
                ("source", .array(source)), ("exercisedBy", .array(.string())), ("marks", .array(.string())),
                (
                    "instances",
                    .array(
                        Schemas.object(
                            [("id", .string()), ("api", .string())],
                            optional: [("severity", severity), ("settings", .object(JSONSchema.Object()))]
                        )
                    )
                ),
                ("help", .string()),
            ] + more,
            optional: [("api", .string()), ("as", .string())]
        )
    }

    private static let finding = Schemas.object(
        [
            ("rule", .string()), ("severity", severity), ("api", .string()), ("method", .string()),
            ("route", .string()), ("title", .string()), ("seen", .string()), ("expected", .string()),
            ("why", .string()), ("fix", .string()), ("requests", .array(.string())), ("count", .integer()),
            ("first", .string()), ("last", .string()), ("fingerprint", .string()), ("source", .array(source)),
            ("help", .string()),
        ],
        optional: [
            ("as", .string()), ("world", .string()), ("user", .string()),
            ("suppressed", Schemas.object([("by", .string())], optional: [("reason", .string())])),
        ]
    )

    private static let reportSchema = Schemas.object([
        ("format", .string()), ("version", .integer()), ("verdict", .string(enumeration: ["pass", "fail"])),
        ("world", .string()),
        (
            "journal",
            Schemas.object([
                ("from", .nullable(.integer())), ("to", .nullable(.integer())), ("entries", .integer()),
                ("complete", .boolean),
            ])
        ),
        (
            "counts",
            Schemas.object([
                ("error", .integer()), ("warning", .integer()), ("suppressed", .integer()),
                ("rules", Schemas.object(JudgementReport.Status.allCases.map { ($0.rawValue, .integer()) })),
            ])
        ),
        ("findings", .array(finding)),
        (
            "rules",
            .array(
                Schemas.object(
                    [
                        ("id", .string()), ("severity", .string(enumeration: ["off", "warning", "error"])),
                        ("status", .string(enumeration: JudgementReport.Status.allCases.map(\.rawValue))),
                        ("judged", .integer()),
                        ("findings", .integer()),
                    ],
                    optional: [("reason", .string()), ("exercisedBy", .array(.string()))]
                )
            )
        ),
        ("allow", .array(.object(JSONSchema.Object()))),
    ])
}
