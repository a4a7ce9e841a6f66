package import CivilTime
package import Emulation

/// What the control API needs of whatever plays the answers.
///
/// A test can stand in for it without a socket.
package protocol ControlHost: AnyObject {
    /// Cuts the exchanges under way of a world, or of one API in it, and answers how many there were.
    func cut(world: Int, api: Int?) -> Int
    /// A world's clock was set or moved: ends the waits that came due and answers how many there were.
    func clockMoved(world: Int, now: Instant, speed: Double) -> Int
    /// The answer to the call that is being handled stays open and gets the world's events from now on, as server-sent
    /// events; those of one API if one is named.
    func watch(world: Int, api: Int?)
    /// What answers the requests of each API.
    func modes(of apis: [Int]) -> [ModeOrder]
    /// Changes what answers the requests of an API.
    func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange
    /// How many connections are open.
    var openConnections: Int { get }
    /// Finds what a recording has that is like a request, as long as it answers for an API; nil otherwise.
    func nearestRecorded(api: Int) -> NearestRecorded?
    /// Requests that gates held have gone on.
    func resumed(_ exchanges: [Exchange])
    /// Requests that gates held go on to large parts of their worlds.
    func answerAside(_ exchanges: [Exchange])
}

/// Finds the entries of a recording nearest to a request, nearest first, at most as many as said; on any thread.
package typealias NearestRecorded = @Sendable (_ request: JournalEntry, _ count: Int) -> [NearRoute]

/// The addresses under which the running emulator is reached.
package struct Origins: Sendable {
    /// `http://127.0.0.1:4680`.
    package var hub: String
    /// In the order of the APIs.
    package var apis: [String]
    /// Ports of our own listeners, for the Origin rule.
    package var ports: [Int]

    package init(hub: String, apis: [String], ports: [Int]) {
        self.hub = hub
        self.apis = apis
        self.ports = ports
    }
}
