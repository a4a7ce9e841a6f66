enum RecordingPlaceholder {}
