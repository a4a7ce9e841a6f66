import Backend
import ClientCommands
import ConductKit
import JSON
import Understudy

/// The key `conduct` of the configuration file: the settings of every new world, and the baseline of `exec` (conduct
/// contract, section 11).
struct ConductKey {
    static let name = "conduct"

    let settings: ConductSettings
    /// The path of the baseline, from the working folder.
    let baselinePath: String?
    /// The file with its line.
    let origin: String
    /// The value as it was written.
    let json: JSON

    /// Reads the value; the baseline is relative to the folder of the file.
    init(_ json: JSON, apis: [String], _ origin: String) throws(UsageError) {
        self.json = json
        self.origin = origin
        guard let object = json.objectValue else {
            throw UsageError(message: "\(origin): $.conduct: expected an object, found \(json.typeName)")
        }
        var check = BodyCheck(object, at: "$.conduct")
        var settings = ConductSettings()
        let baseline = check.value("baseline") == nil ? nil : check.requiredString("baseline")
        settings.change(&check, APICatalogue.rules, apis: .orHosts(apis))
        check.refuseUnknown()
        guard check.items.isEmpty else {
            let lines = check.items.map { "\(origin): \($0.path): \($0.reason)" }
            throw UsageError(message: lines.joined(separator: "\n"))
        }
        self.settings = settings
        let file = origin.lastIndex(of: ":").map { String(origin[..<$0]) } ?? origin
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        baselinePath = baseline.map { $0.hasPrefix("/") ? $0 : folder + $0 }
    }
}
