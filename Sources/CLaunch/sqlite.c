// Parts of SQLite that its archive would bring along, since the library registers them with each connection: the two
// full-text searches and R-trees, a third of a megabyte. Nothing here makes such tables; these stand at the place of what
// registers them, and succeed. Weak, so that an archive which has all in one object, and a shared library, keep their own.
__attribute__((weak)) int sqlite3Fts3Init(void *connection) { return (void)connection, 0; }
__attribute__((weak)) int sqlite3Fts5Init(void *connection) { return (void)connection, 0; }
__attribute__((weak)) int sqlite3RtreeInit(void *connection) { return (void)connection, 0; }
