Signals.leaveAtOnce()
Terminal.leave(Commands.run(Array(CommandLine.arguments.dropFirst())))
