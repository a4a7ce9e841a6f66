import UnderstudyClient

/// The start of the server that the tests of this process share; `UnderstudyServer.shared` finds it by its name.
package final class InProcessStarter: ServerStarter {
    package static func startShared() throws -> UnderstudyServer { try UnderstudyServer.start() }
}
