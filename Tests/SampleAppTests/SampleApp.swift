// The sample app.
