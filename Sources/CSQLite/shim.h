#pragma once
#include <sqlite3.h>

// Variadic functions are not imported.
static inline int understudy_sqlite_keep_wal(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Lets SQLite copy what is bound; the macro is a cast that is not imported.
static inline int understudy_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

static inline int understudy_sqlite_bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

// What is bound has to stay where it is until the statement has run and something else is bound.
static inline int understudy_sqlite_bind_lasting(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_STATIC);
}
