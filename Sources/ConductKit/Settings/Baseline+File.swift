import Backend
import JSON

/// The file of findings that are known (conduct contract, section 11).
extension Baseline {
    package static let format = "understudy-conduct-baseline"

    /// The text of a baseline with what a report found, without what the allow-list suppresses.
    package static func text(of report: JudgementReport) -> [UInt8] {
        var entries: [ConductSettings.BaselineEntry] = []
        for finding in report.findings {
            if case .allowed? = finding.suppressed { continue }
            guard !entries.contains(where: { $0.fingerprint == finding.fingerprint }) else { continue }
            entries.append(
                ConductSettings.BaselineEntry(
                    fingerprint: finding.fingerprint,
                    rule: finding.rule,
                    route: ShownText.clean(finding.route)
                )
            )
        }
        entries.sort { $0.fingerprint < $1.fingerprint }
        let items = entries.map { entry -> JSON in
            ["fingerprint": .string(entry.fingerprint), "rule": .string(entry.rule), "route": .string(entry.route)]
        }
        let json: JSON = ["format": .string(format), "version": 1, "findings": .array(items)]
        return json.serialized(options: JSONWriter.Options(pretty: true)) + [0x0A]
    }

    /// A mistake in a baseline, with its place.
    package struct Fault: Error, Sendable, Equatable {
        package var line: Int
        package var path: String
        package var reason: String
    }

    /// Reads a baseline.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> [ConductSettings.BaselineEntry] {
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(bytes, options: JSONReader.Options())
        } catch {
            throw Fault(line: error.line, path: "$", reason: error.message)
        }
        func fault(_ path: [JSONPathElement], _ reason: String) -> Fault {
            Fault(line: positions.closestLine(to: path).line, path: path.formattedJSONPath, reason: reason)
        }
        guard json.objectValue != nil else { throw fault([], "must be an object") }
        guard json["format"]?.stringValue == format else { throw fault(["format"], "must be \"\(format)\"") }
        guard json["version"]?.intValue == 1 else { throw fault(["version"], "must be 1") }
        guard let items = json["findings"]?.arrayValue else { throw fault(["findings"], "must be a list") }
        var entries: [ConductSettings.BaselineEntry] = []
        for (place, item) in items.enumerated() {
            guard let fingerprint = item["fingerprint"]?.stringValue, isFingerprint(fingerprint) else {
                throw fault(["findings", .index(place), "fingerprint"], "must be 16 hexadecimal digits")
            }
            guard let rule = item["rule"]?.stringValue else {
                throw fault(["findings", .index(place), "rule"], "must be a string")
            }
            guard let route = item["route"]?.stringValue else {
                throw fault(["findings", .index(place), "route"], "must be a string")
            }
            entries.append(ConductSettings.BaselineEntry(fingerprint: fingerprint, rule: rule, route: route))
        }
        return entries
    }

    private static func isFingerprint(_ text: String) -> Bool {
        text.utf8.count == 16
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
