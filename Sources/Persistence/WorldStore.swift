package import Emulation
package import SQLiteStore

/// A store of worlds and snapshots, which a `PersistenceCoordinator` writes to.
///
/// One thread uses it at a time: the worker that writes while a batch is under way, and the loop otherwise.
package protocol WorldStore: AnyObject {
    /// The file or folder, as messages name it.
    var path: String { get }
    /// Tells that nothing was stored before.
    var isNew: Bool { get }
    /// The worlds and snapshots that were stored when it was opened.
    var keys: [Int] { get }
    /// Tells that there is content which nobody needs any more.
    var hasGarbage: Bool { get }

    /// The error of content that can't be what a store holds.
    func damaged(_ detail: String) -> WorldStoreError

    /// Returns what was stored when it was opened, once: it is as large as all worlds together.
    func takeContent() -> StoredContent?

    /// Opens it for writing.
    func begin() throws(WorldStoreError)

    /// Writes a batch whole, or nothing of it.
    func attempt(_ batch: StoreBatch) -> Result<Void, StorageError>

    /// Frees some of what nobody needs; false if that could not be written.
    func collect(most: Int) -> Bool

    func close()
}
