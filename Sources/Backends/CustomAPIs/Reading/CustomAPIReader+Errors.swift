import APIFolders
import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Templates
import Worlds

/// The form of an API's errors (own-API contract, section 5).
extension CustomAPIReader {
    mutating func readErrors(_ check: FileCheck?) {
        guard var check else { return }
        if let type = check.name("contentType") {
            if MediaType(type) == nil { check.error("contentType", "must be a media type such as application/json") }
            definition.errors.contentType = type
        }
        definition.errors.body = check.template(
            "body",
            TemplateNames(
                locals: ErrorForm.names,
                structures: ["error.details"],
                states: definition.states.map(\.name)
            )
        )
        if let causes = check.object("causes") { readCauses(causes) }
        check.refuseUnknown()
    }

    private mutating func readCauses(_ check: FileCheck) {
        for member in check.object.members {
            guard let cause = Cause(rawValue: member.name) else {
                let names = Cause.allCases.map(\.rawValue)
                check.error(member.name, MemberReason.choice(.string(member.name), among: names))
                continue
            }
            var outer = check
            guard var inner = outer.object(member.name) else { continue }
            definition.errors.causes[cause] = ErrorForm.Change(
                status: inner.integer("status", in: 400...599).map { Status(Int($0)) },
                code: inner.name("code"),
                message: inner.string("message")
            )
            inner.refuseUnknown()
        }
    }
}
