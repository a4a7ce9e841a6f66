import Foundation
import TrendyOnboarding

// The examples of single calls and initializers.

func fileStore() throws -> FileStore {
    let folder = try FileStore.defaultFolder(appGroup: "group.com.example.trendy")
    let store = FileStore(folder: folder)
    return store
}

func readTheme(in store: any KeyValueStore) throws -> (Data?, [String]) {
    let theme = try store.data(forKey: "theme")
    let keys = try store.keys(withPrefix: "onboarding_")
    return (theme, keys)
}

func eraseThemes(in transaction: inout StoreTransaction) throws(StoreError) {
    for key in try transaction.keys(withPrefix: "theme_") {
        try transaction.set(nil, forKey: key)
    }
}

func waitForOneSecond(sleeper: any OnboardingSleeper) async throws {
    try await sleeper.sleep(for: .seconds(1))
}

func read(backend: URL, token: String) async throws -> Int {
    let transport = URLSessionTransport(baseURL: backend, timeout: 10, limit: .seconds(30))
    let request = OnboardingRequest(
        method: .get,
        path: "/api/v1/users/onboarding",
        headers: ["Authorization": "Bearer \(token)"]
    )
    let response = try await transport.send(request)
    return response.status
}

func preview(userId: String, date: Date) -> CachedOnboardingStatus {
    let answer = APIOnboardingStatus(userId: userId, completed: true, createdAt: date, updatedAt: date)
    let status = CachedOnboardingStatus(answer, at: date)
    return status
}
