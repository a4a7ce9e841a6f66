import APIFolders
import JSON
package import Templates

extension FileCheck {
    /// A member whose texts have placeholders; nil without one, or with its mistakes noted.
    package mutating func template(_ name: String, _ names: TemplateNames) -> Template? {
        guard let value = value(name) else { return nil }
        do throws(TemplateProblems) {
            return try Template(value, names: names)
        } catch {
            for problem in error.problems { report.error(path + [.key(name)] + problem.path, problem.reason) }
            return nil
        }
    }
}
