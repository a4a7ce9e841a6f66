/// An operation of the control API: the method, and the path below `/__admin`.
///
/// A test holds the list against the server's OpenAPI document, and the sources against the list.
package enum ControlEndpoint: String, CaseIterable, Sendable {
    case getHealth = "GET /health"
    case getAPIs = "GET /apis"
    case getProblem = "GET /problems/{slug}"
    case getControlDocument = "GET /openapi.json"
    case getDocument = "GET /openapi/{file}"
    case getDocumentationPage = "GET /docs"
    case getConsole = "GET /console"
    case getMetrics = "GET /metrics"
    case getEvents = "GET /events"

    case reset = "POST /reset"
    case getWorlds = "GET /worlds"
    case createWorld = "POST /worlds"
    case deleteWorld = "DELETE /worlds/{name}"
    case getSnapshots = "GET /snapshots"
    case takeSnapshot = "POST /snapshots"
    case deleteSnapshot = "DELETE /snapshots/{name}"
    case restoreSnapshot = "POST /snapshots/{name}/restore"
    case exportState = "GET /state"
    case importState = "PUT /state"
    case getTables = "GET /state/{api}"
    case getRows = "GET /state/{api}/{table}"
    case getRow = "GET /state/{api}/{table}/{id}"
    case putRow = "PUT /state/{api}/{table}/{id}"
    case deleteRow = "DELETE /state/{api}/{table}/{id}"

    case getClock = "GET /clock"
    case setClock = "PUT /clock"
    case advanceClock = "POST /clock/advance"
    case getUpcoming = "GET /clock/upcoming"

    case getScenarios = "GET /scenarios"
    case activateScenario = "PUT /scenarios/{api}/{name}"
    case deactivateScenario = "DELETE /scenarios/{api}/{name}"
    case getSettings = "GET /settings"
    case changeSettings = "PUT /settings"

    case getFaults = "GET /faults"
    case addFault = "POST /faults"
    case switchFaults = "PUT /faults"
    case deleteFaults = "DELETE /faults"
    case checkFault = "POST /faults/check"
    case getFault = "GET /faults/{id}"
    case changeFault = "PATCH /faults/{id}"
    case deleteFault = "DELETE /faults/{id}"
    case getLatency = "GET /latency"
    case setLatency = "PUT /latency"

    case getStubs = "GET /stubs"
    case addStub = "POST /stubs"
    case deleteStubs = "DELETE /stubs"
    case getStub = "GET /stubs/{id}"
    case replaceStub = "PUT /stubs/{id}"
    case changeStub = "PATCH /stubs/{id}"
    case deleteStub = "DELETE /stubs/{id}"

    case getGates = "GET /gates"
    case addGate = "POST /gates"
    case getGate = "GET /gates/{name}"
    case changeGate = "PATCH /gates/{name}"
    case deleteGate = "DELETE /gates/{name}"
    case releaseGate = "POST /gates/{name}/release"

    case getRequests = "GET /requests"
    case deleteRequests = "DELETE /requests"
    case getArchive = "GET /requests.har"
    case getRequest = "GET /requests/{id}"
    case replayRequest = "POST /requests/{id}/replay"
    case countRequests = "POST /requests/count"
    case verify = "POST /verify"
    case getUnmatched = "GET /unmatched"
    case getJournal = "GET /journal"
    case compare = "POST /compare"
    case getNotes = "GET /notes"
    case addNote = "POST /notes"
    case getCoverage = "GET /coverage"
    case getConduct = "GET /conduct"
    case getConductRules = "GET /conduct/rules"
    case getConductRule = "GET /conduct/rules/{id}"

    case getOutbox = "GET /outbox"
    case createToken = "POST /tokens"
    case getUsers = "GET /users"
    case expireTokens = "POST /users/{who}/expire"
    case revokeTokens = "POST /users/{who}/revoke"
    case getAppleKeys = "GET /apple/keys"
    case getQRPage = "GET /qr"
    case getQRCode = "GET /qr.png"
    case getQRPayload = "GET /qr.json"

    case getModes = "GET /mode"
    case setMode = "PUT /mode"
    case getTLS = "GET /tls"
    case getTLSFailures = "GET /tls/failures"
    case deleteTLSFailures = "DELETE /tls/failures"
    case getConnectionFaults = "GET /connection-faults"
    case addConnectionFault = "POST /connection-faults"
    case deleteConnectionFaults = "DELETE /connection-faults"
    case getConnectionFault = "GET /connection-faults/{id}"
    case deleteConnectionFault = "DELETE /connection-faults/{id}"
    case getProxy = "GET /proxy"
    case getHosts = "GET /hosts"
    case deleteHosts = "DELETE /hosts"
    case getAuthority = "GET /ca.pem"
    case getAuthorityCertificate = "GET /ca.crt"
    case getAuthorityProfile = "GET /ca.mobileconfig"

    /// The method.
    package var method: String { String(rawValue.prefix { $0 != " " }) }

    /// The path below `/__admin`, with names in braces.
    package var template: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

    /// Fills the names in braces, in their order.
    func path(_ values: [String]) -> String {
        var left = values[...]
        return template.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? "/" + ControlClient.escaped(left.popFirst() ?? "") : "/" + segment
        }.joined()
    }
}
