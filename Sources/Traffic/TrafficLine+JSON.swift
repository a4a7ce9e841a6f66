package import JSON

extension TrafficLine {
    /// Creates the line from the journal's (console contract, section 1).
    package init(_ json: JSON) {
        self.init()
        id = json["id"]?.stringValue ?? ""
        seq = json["seq"]?.intValue ?? 0
        at = json["at"]?.stringValue ?? ""
        api = json["api"]?.stringValue ?? ""
        route = json["route"]?.stringValue
        user = json["user"]?.stringValue
        method = json["method"]?.stringValue ?? ""
        path = json["path"]?.stringValue ?? ""
        query = json["query"]?.stringValue ?? ""
        status = Int(clamping: json["status"]?.intValue ?? 0)
        outcome = json["outcome"]?.stringValue ?? "held"
        milliseconds = json["ms"]?.doubleValue
        requestBytes = json["requestBytes"]?.intValue ?? 0
        responseBytes = json["responseBytes"]?.intValue ?? 0
        fault = json["fault"]?.stringValue
        scenario = json["scenario"]?.stringValue
        gate = json["gate"]?.stringValue
        replayOf = json["replayOf"]?.stringValue
        answeredBy = json["answeredBy"]?.stringValue
        nearestStub = json["nearestStub"]?.stringValue
        violations = Int(clamping: json["violations"]?.intValue ?? 0)
    }
}
