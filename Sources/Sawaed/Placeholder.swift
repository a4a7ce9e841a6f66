enum SawaedPlaceholder {}
