import Foundation
import TrendyOnboarding

// The examples of the library's documentation, so that they compile. A test of the library compares the texts.

/// The sign-in library of an app.
protocol SignInLibrary: Sendable {
    var user: (id: UUID, mail: String)? { get }
    func freshAccessToken() async throws -> String
}

struct Session: OnboardingIdentity {
    let library: any SignInLibrary

    var currentUserId: String? { library.user?.id.uuidString }

    func accessToken(for userId: String) async throws -> String {
        try await library.freshAccessToken()
    }
}

/// The screens of an app, as far as onboarding decides on them.
@MainActor
protocol Screens {
    func showMainScreen()
    func showSignIn()
    func show(_ step: OnboardingStep)
    func showProgress(_ isShown: Bool)
    func showHint(_ text: String?)
}

/// The account of a user, as the app manages it.
protocol Account: Sendable {
    func delete(_ userId: String) async throws
}

func log(_ text: String) { print(text) }

@MainActor
struct Launch {
    let screens: any Screens
    let service: OnboardingStatusService

    init(screens: any Screens, backend: URL, session: Session) throws {
        self.screens = screens
        let service = OnboardingStatusService(
            transport: URLSessionTransport(baseURL: backend),
            identity: session,
            store: FileStore(folder: try FileStore.defaultFolder())
        )
        self.service = service
    }

    func route(by status: CachedOnboardingStatus?) {
        guard let status else { return screens.show(.welcome) }
        if let step = status.step { screens.show(step) } else { screens.showMainScreen() }
    }

    func start() async {
        switch await service.sync(timeout: .seconds(3)) {
        case .fresh(let status): route(by: status)
        case .stale(let status, _): route(by: status)  // nil on the first launch without a network
        case .notAuthenticated: screens.showSignIn()
        }
    }

    func known() async -> (CachedOnboardingStatus?, SyncResult) {
        let known = service.readCachedStatus()
        let result = await service.sync(timeout: .seconds(3))
        return (known, result)
    }

    func finishWelcome() {
        service.markStepCompleted(.welcome)
        route(by: service.currentStatus)
    }

    func answer(isGranted: Bool) {
        service.recordPermission(.notifications, isGranted ? .granted : .denied)
        service.markStepCompleted(.permissions)
    }

    func forgetLocation() {
        var request = UpdateOnboardingStatusRequest()
        request.locationStatus = .clear
        service.push(request)
    }

    func startOver() async -> String? {
        do {
            try await service.resetOnboarding()
            return nil
        } catch {
            return "Could not start over: \(error)"
        }
    }

    func signOut() {
        service.handleLogout()
        screens.showSignIn()
    }
}

func change(date: Date) -> UpdateOnboardingStatusRequest {
    var request = UpdateOnboardingStatusRequest()
    request.welcomeCompletedAt = .set(date)
    request.locationStatus = .clear
    // {"location_status":null,"welcome_completed_at":"2025-01-01T12:00:00Z"}
    return request
}

func answer(data: Data) throws -> PermissionStatus? {
    let status = try JSONDecoder().decode(APIOnboardingStatus.self, from: data)
    let answer = status.notificationsStatus.flatMap(PermissionStatus.init(rawValue:))
    return answer
}

func step(date: Date) -> OnboardingStep? {
    let step = OnboardingStep.current(completed: false, welcome: date, auth: nil, permissions: nil)  // .auth
    return step
}

@MainActor
func widget(userId: String, screens: any Screens) {
    let cache = OnboardingCache(store: UserDefaultsStore())
    if cache.read(userId)?.completed == true { screens.showMainScreen() }
}

func shared(backend: URL) throws -> (FileStore, URLSessionTransport) {
    let store = FileStore(folder: try FileStore.defaultFolder(appGroup: "group.com.example.trendy"))
    let transport = URLSessionTransport(baseURL: backend, timeout: 20)
    return (store, transport)
}
