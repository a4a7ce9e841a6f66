enum TrafikskolaPlaceholder {}
