import HTTPMessage
package import JSON

extension JudgementReport {
    /// The report as SARIF 2.1.0.
    package func sarif(_ registry: RuleRegistry) -> JSON {
        let results: [JSON] = findings.map { finding in
            var result: JSONObject = [
                "ruleId": .string(finding.rule),
                "ruleIndex": .integer(Int64(rules.firstIndex { $0.id == finding.rule } ?? -1)),
                "level": .string(finding.severity.rawValue),
                "message": ["text": .string(ShownText.clean("\(finding.target): \(finding.seen) \(finding.expected)"))],
                "locations": [
                    [
                        "physicalLocation": [
                            "artifactLocation": [
                                "uri": .string(finding.file?.percentEncodedComponent ?? "requests.har")
                            ]
                        ]
                    ]
                ],
                "partialFingerprints": ["understudyConduct/v1": .string(finding.fingerprint)],
            ]
            switch finding.suppressed {
            case .allowed(let reason)?:
                result.append(
                    "suppressions",
                    [["kind": "external", "justification": .string(ShownText.clean(reason))]]
                )
            case .baseline?: result.append("suppressions", [["kind": "external"]])
            case nil: break
            }
            return .object(result)
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": ["name": "Understudy", "rules": .array(rules.map { Self.descriptor($0, registry) })]
                    ],
                    "results": .array(results),
                ]
            ],
        ]
    }

    private static func descriptor(_ rule: RuleResult, _ registry: RuleRegistry) -> JSON {
        guard let declaration = registry.declaration(rule.id) else { return ["id": .string(rule.id)] }
        var object: JSONObject = [
            "id": .string(rule.id),
            "shortDescription": ["text": .string(declaration.title)],
            "fullDescription": ["text": .string(declaration.what)],
            "help": ["text": .string(declaration.expected)],
            "defaultConfiguration": ["level": .string(declaration.severity.rawValue)],
        ]
        if let url = declaration.source.lazy.compactMap(\.url).first { object.append("helpUri", .string(url)) }
        return .object(object)
    }
}
