// Who starts the server in the test's process needs the traits and the client too.
@_exported public import UnderstudyTesting
