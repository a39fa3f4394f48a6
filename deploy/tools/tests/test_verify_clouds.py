"""Functions that the clouds know or not. `aws` and `gcloud` are small programs that print what the real
ones print; the real clouds are never reached.
"""

from .reservation_service import Running, Service
from .support import DeletedTest, verify


class ProgramsTest(DeletedTest):
    """Programs that print, for the beginning of a command line, what the real ones print."""

    name = None

    def install(self, answers):
        cases = ""
        for words, (code, output, complaints) in answers.items():
            self.path(f"{self.name}-{len(cases)}-out", output)
            self.path(f"{self.name}-{len(cases)}-err", complaints)
            files = self.path(f"{self.name}-{len(cases)}")
            cases += f'  "{words}"*) cat {files}-out; cat {files}-err >&2; exit {code};;\n'
        self.program(self.name, f'case "$*" in\n{cases}esac\necho "unexpected: $*" >&2\nexit 99')

    def run_with(self, answers, *options):
        self.install(answers)
        return verify("deleted", "--json", "--timeout", 5, *options, PATH=self.search_path())


class AwsProgram(ProgramsTest):
    name = "aws"
    IDENTITY = "sts get-caller-identity --region eu-west-1"
    FUNCTION = "lambda get-function-configuration --function-name reserve --region eu-west-1"
    WE_ARE = (
        0,
        '{"UserId": "AIDA", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/u"}',
        "",
    )
    ERROR = "\nAn error occurred ({0}) when calling the GetFunctionConfiguration operation: {1}\n"
    GONE = "Function not found: arn:aws:lambda:{}:{}:function:{}"
    ABSENT = (
        254,
        "",
        ERROR.format(
            "ResourceNotFoundException", GONE.format("eu-west-1", "123456789012", "reserve")
        ),
    )

    def prove(self, identity, function, *options):
        answers = {self.IDENTITY: identity, self.FUNCTION: function}
        return self.run_with(
            answers, "--aws-function", "reserve", "--aws-region", "eu-west-1", *options
        )


class AwsTest(AwsProgram):
    def test_a_function_that_lambda_does_not_know_passes(self):
        self.assert_verdict(self.prove(self.WE_ARE, self.ABSENT), 0)
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--aws-account", "123456789012")
        self.assert_verdict(outcome, 0)
        self.assertEqual(outcome.detail("aws-identity"), "account 123456789012")

    def test_a_function_that_is_there_fails(self):
        self.assert_verdict(
            self.prove(self.WE_ARE, (0, '{"FunctionName": "reserve"}', "")), 1, "aws-function"
        )

    def test_another_account_is_no_evidence(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--aws-account", "210987654321")
        self.assert_verdict(outcome, 2, "aws")

    def test_an_identity_that_does_not_work_is_no_evidence(self):
        for identity in (
            (
                253,
                "",
                '\nUnable to locate credentials. You can configure credentials by running "aws configure".\n',
            ),
            (
                254,
                "",
                "\nAn error occurred (ExpiredToken) when calling the GetCallerIdentity operation: expired\n",
            ),
            (0, "", ""),
            (0, "[]", ""),
            (0, "{}", ""),
        ):
            with self.subTest(identity):
                self.assert_verdict(self.prove(identity, self.ABSENT), 2, "aws")

    def test_any_other_refusal_is_no_evidence(self):
        denied, missing = "AccessDeniedException", "ResourceNotFoundException"
        for error, message in (
            (denied, "User is not authorized to perform: lambda:GetFunctionConfiguration"),
            (denied, "no: ResourceNotFoundException"),
            (missing, "The resource you requested does not exist."),
            (missing, self.GONE.format("eu-west-1", "123456789012", "reserve:1")),
            (missing, self.GONE.format("eu-west-1", "123456789012", "reserve-2")),
            (missing, self.GONE.format("us-east-1", "123456789012", "reserve")),
            (missing, self.GONE.format("eu-west-1", "210987654321", "reserve")),
        ):
            with self.subTest(message):
                function = (254, "", self.ERROR.format(error, message))
                self.assert_verdict(self.prove(self.WE_ARE, function), 2, "aws")
        silent = (1, "", "")
        offline = (
            255,
            "",
            '\nCould not connect to the endpoint URL: "https://lambda.eu-west-1.amazonaws.com/"\n',
        )
        for function in (silent, offline):
            with self.subTest(function):
                self.assert_verdict(self.prove(self.WE_ARE, function), 2, "aws")

    def test_a_missing_program_is_no_evidence(self):
        words = ["deleted", "--json", "--aws-function", "reserve", "--aws-region", "eu-west-1"]
        self.assert_verdict(verify(*words, PATH=self.folder), 2, "aws")

    def test_one_proof_that_could_not_be_made_spoils_the_others(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--database", "host=127.0.0.1 port=1")
        self.assert_verdict(outcome, 2, "database")


class CloudRunTest(ProgramsTest):
    name = "gcloud"
    PLACE = "--quiet --format=json --project=p-1 --region=europe-west1 --platform=managed"
    PROJECT = "projects describe p-1 --quiet --format=json"
    LIST = f"run services list {PLACE}"
    DESCRIBE = f"run services describe reserve {PLACE}"
    VISIBLE = (0, '{"projectId": "p-1", "projectNumber": "12", "lifecycleState": "ACTIVE"}', "")
    OTHERS = (0, '[{"metadata": {"name": "reserve-2"}}]', "")
    ERROR = "ERROR: (gcloud.run.services.describe) "
    ABSENT = (1, "", ERROR + "Cannot find service [reserve]\n")

    def prove(self, project=VISIBLE, listed=OTHERS, described=ABSENT):
        answers = {self.PROJECT: project, self.LIST: listed, self.DESCRIBE: described}
        return self.run_with(
            answers,
            "--cloud-run",
            "reserve",
            "--google-project",
            "p-1",
            "--google-region",
            "europe-west1",
        )

    def test_a_service_that_cloud_run_does_not_know_passes(self):
        self.assert_verdict(self.prove(), 0)
        self.assert_verdict(self.prove(listed=(0, "[]", "")), 0)
        not_found = self.ERROR + "NOT_FOUND: Resource 'reserve' was not found\n"
        self.assert_verdict(self.prove(described=(1, "", not_found)), 0)

    def test_a_service_that_is_there_fails(self):
        there = (0, '{"metadata": {"name": "reserve"}}', "")
        self.assert_verdict(self.prove(described=there), 1, "cloud-run-service")
        self.assert_verdict(self.prove(listed=(0, f"[{there[1]}]", "")), 1, "cloud-run-service")

    def test_a_project_that_is_not_visible_is_no_evidence(self):
        for project in (
            (
                1,
                "",
                "ERROR: (gcloud.projects.describe) You do not currently have an active account selected.\n",
            ),
            (
                1,
                "",
                "ERROR: (gcloud.projects.describe) [u] does not have permission to access [p-1]\n",
            ),
            (0, '{"projectId": "p-2"}', ""),
            (0, "", ""),
            (0, "[]", ""),
        ):
            with self.subTest(project):
                self.assert_verdict(self.prove(project=project), 2, "cloud-run")

    def test_a_list_that_does_not_come_is_no_evidence(self):
        """To the real gcloud, any 404 is a missing service, also in a region that does not exist."""
        for listed in (
            (1, "", "ERROR: (gcloud.run.services.list) HTTPError 404\n"),
            (0, "{}", ""),
            (0, "", ""),
        ):
            with self.subTest(listed):
                self.assert_verdict(self.prove(listed=listed), 2, "cloud-run")

    def test_any_other_refusal_is_no_evidence(self):
        for complaint in (
            self.ERROR + "PERMISSION_DENIED: Permission 'run.services.get' denied\n",
            self.ERROR + "Cannot find service [other]\n",
            "ERROR: gcloud crashed (TransportError): name resolution failed\n",
            "",
        ):
            with self.subTest(complaint):
                self.assert_verdict(self.prove(described=(1, "", complaint)), 2, "cloud-run")

    def test_a_missing_program_is_no_evidence(self):
        words = [
            "--cloud-run",
            "reserve",
            "--google-project",
            "p-1",
            "--google-region",
            "europe-west1",
        ]
        self.assert_verdict(verify("deleted", "--json", *words, PATH=self.folder), 2, "cloud-run")


class DeletedUrlTest(AwsProgram):
    """What still answers somewhere, beside a proof that stands."""

    class Tombstone(Service):
        def before(self, method, path):
            return None if path == "/health" else (410, {"status": "cleanup"})

    def look(self, service):
        with Running(service) as running:
            return self.prove(self.WE_ARE, self.ABSENT, "--url", running.url)

    def test_a_tombstone_that_answers_passes(self):
        self.assert_verdict(self.look(self.Tombstone()), 0)

    def test_silence_is_noted_only(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--url", "http://127.0.0.1:1")
        self.assert_verdict(outcome, 0)
        self.assertIn("proves nothing", outcome.detail("url"))

    def test_a_service_that_is_alive_fails_and_is_not_changed(self):
        alive = Service()
        alive.of_slot = lambda action, body: (400, {"error": "invalid_tenant_id"})
        alive.reserve = None  # would break the answer if it got that far
        self.assert_verdict(self.look(alive), 1, "url")
        self.assertEqual(alive.kept, {"workshops": {}, "slots": {}})

    def test_one_route_that_still_works_fails(self):
        class Reads(self.Tombstone):
            def before(self, method, path):
                return None if path.endswith("/status") else super().before(method, path)

        self.assert_verdict(self.look(Reads()), 1, "url")

    def test_a_tombstone_that_is_not_healthy_fails(self):
        class Sick(self.Tombstone):
            def before(self, method, path):
                return 410, {"status": "cleanup"}

        self.assert_verdict(self.look(Sick()), 1, "url")
