"""The verifier: `command` reads its arguments, `deployed` and `deleted` are the two things it proves."""
