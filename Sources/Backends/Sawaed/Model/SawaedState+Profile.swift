import Backend
import CivilTime

/// Profiles and their completion (contract, sections 6.1 and 6.2).
extension SawaedState {
    /// A profile that is not stored yet.
    mutating func newProfile(of user: String) -> Profile {
        Profile(id: newID("profile") { $0.profiles.contains($1) }, userId: user, completionPercentage: 0)
    }

    /// The completion of a user's profile in per cent.
    func completion(of user: User, _ profile: Profile) -> Int {
        let names = [user.firstNameAr, user.lastNameAr, user.firstNameEn, user.lastNameEn]
        var identity = names.count { $0?.isBlank == false }
        // A bio that was ever set takes precedence over the headline, even if it is blank.
        if (profile.bio ?? profile.headline)?.isBlank == false { identity += 1 }
        if profile.regionId != nil || profile.cityId != nil || profile.regionName != nil || profile.cityName != nil {
            identity += 1
        }
        var rest = 0
        if user.skillIds?.isEmpty == false { rest += 20 }
        if user.interestIds?.isEmpty == false { rest += 15 }
        if education.count(in: user.id) > 0 { rest += 15 }
        if projects.count(in: user.id) > 0 { rest += 10 }
        if experiences.count(in: user.id) > 0 { rest += 10 }
        if awards.count(in: user.id) > 0 { rest += 10 }
        // round(20 · identity / 6 + rest), half up, in twelfths.
        return min(100, max(0, (40 * identity + 12 * rest + 6) / 12))
    }

    /// Updates the stored completion of a user's profile, if there is one, and returns it.
    @discardableResult
    mutating func recomputeCompletion(of user: String) -> Int? {
        guard let owner = users[user], let profile = profile(of: user) else { return nil }
        let completion = completion(of: owner, profile)
        profiles.update(profile.id) { $0.completionPercentage = completion }
        return completion
    }

    /// Changes a user's profile, creating it if necessary, and returns the answer of the route.
    mutating func saveProfile(of user: String, _ change: (inout Profile) -> Void) -> ProfileSaved {
        let known = profile(of: user)
        var row = known ?? newProfile(of: user)
        change(&row)
        profiles.insert(row)
        let completion = recomputeCompletion(of: user)
        return ProfileSaved(id: row.id, completion: known == nil ? nil : completion)
    }
}
