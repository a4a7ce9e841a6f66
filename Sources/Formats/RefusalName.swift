/// The meaning that a member of an error has for most readers, by its name.
package enum RefusalName: Sendable {
    case code, message, title, status, success, failure, error, details, path

    /// Reads a name in any spelling; nil for one that says nothing about a refusal.
    package init?(_ name: String) {
        let key = MemberName(name).key
        guard let found = Self.names.first(where: { $0.keys.contains(key) }) else { return nil }
        self = found.name
    }

    private static let names: [(name: RefusalName, keys: Set<String>)] = [
        (.code, ["code", "errorcode", "errcode", "errorkey", "reasoncode", "errortype", "slug", "type"]),
        (
            .message,
            [
                "message", "errormessage", "errmsg", "msg", "usermessage", "displaymessage", "developermessage",
                "detail",
                "errordetail", "description", "errordescription", "reason", "explanation", "text",
            ]
        ),
        (.title, ["title", "name", "statustext", "reasonphrase"]),
        (.status, ["status", "statuscode", "httpstatus", "httpcode", "httpstatuscode"]),
        (.success, ["success", "ok", "issuccess", "succeeded", "issuccessful"]),
        (.failure, ["failed", "iserror", "haserror", "haserrors"]),
        (.error, ["error", "err", "fault"]),
        (
            .details,
            [
                "details", "errors", "fields", "invalidparams", "invalidparameters", "invalidfields", "violations",
                "issues",
                "fielderrors", "validationerrors", "errordetails", "problems",
            ]
        ),
        (.path, ["path", "instance", "uri", "requestpath"]),
    ]
}

/// The meaning of a member of one of an error's details.
package enum DetailName: Sendable {
    case place, pointer, reason, title, code, status

    package init?(_ name: String) {
        let key = MemberName(name).key
        guard let found = Self.names.first(where: { $0.keys.contains(key) }) else { return nil }
        self = found.name
    }

    private static let names: [(name: DetailName, keys: Set<String>)] = [
        (
            .place,
            [
                "path", "field", "fieldname", "name", "property", "propertyname", "propertypath", "param", "parameter",
                "attribute", "loc", "location", "key", "target", "member",
            ]
        ),
        (.pointer, ["pointer", "jsonpointer"]),
        (
            .reason,
            [
                "reason", "message", "issue", "msg", "description", "detail", "error", "errormessage", "text",
                "problem",
            ]
        ),
        (.title, ["title"]),
        (.code, ["code", "type", "errorcode", "rule", "kind"]),
        (.status, ["status", "statuscode"]),
    ]
}
