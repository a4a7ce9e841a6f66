import ClientCommands

Signals.leaveAtOnce()
Terminal.leave(Commands.run(Array(Launch.arguments.dropFirst())))
