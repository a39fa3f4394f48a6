"""Proves by the clouds' own programs that a function does not exist."""

import re

from ..report import NotEvidence
from .contract import is_text
from .programs import run_for_json, run_program


def prove_aws(function, region, account, deadline, report):
    """Lambda itself tells an identity that works there that it has no such function."""
    environment = {"AWS_PAGER": "", "AWS_MAX_ATTEMPTS": "2"}
    options = ["--region", region, "--output", "json"]
    identity = run_for_json(["aws", "sts", "get-caller-identity", *options], deadline, environment)
    actual = identity.get("Account") if isinstance(identity, dict) else None
    if not is_text(actual):
        raise NotEvidence("aws sts get-caller-identity named no account")
    if account and account != actual:
        raise NotEvidence(
            f"the identity is of the account {actual}, not {account}: absence there proves nothing"
        )
    report.note(
        "aws-identity",
        f"account {actual}{'' if account else ', not compared: --aws-account would'}",
    )
    command = ["aws", "lambda", "get-function-configuration", "--function-name", function, *options]
    code, _, errors = run_program(command, deadline, environment=environment)
    # The message names the function that was looked for: it must be this one, in this place.
    absent = re.search(
        r"\(ResourceNotFoundException\) when calling the GetFunctionConfiguration operation:"
        rf".*:lambda:{region}:{actual}:function:{function}(?![\w:-])",
        errors,
    )
    if code != 0 and not absent:
        raise NotEvidence(f"aws lambda get-function-configuration: {errors or f'exit code {code}'}")
    problems = [] if code else [f"{function} is still there"]
    report.judge("aws-function", problems, f"{function} does not exist in {region}")


def prove_cloud_run(service, project, region, deadline, report):
    """An identity that sees the project and lists its services does not find this one."""
    options = ["--quiet", "--format=json"]
    seen = run_for_json(["gcloud", "projects", "describe", project, *options], deadline)
    if not isinstance(seen, dict) or project not in (
        seen.get("projectId"),
        str(seen.get("projectNumber")),
    ):
        raise NotEvidence(f"gcloud projects describe did not show {project}")
    report.note(
        "google-project", f"{project} is visible, state {seen.get('lifecycleState', 'unknown')}"
    )
    options += [f"--project={project}", f"--region={region}", "--platform=managed"]
    # gcloud reports any 404 as a missing service, even for a region that does not exist. A list of
    # services shows that the question reached the right place.
    services = run_for_json(["gcloud", "run", "services", "list", *options], deadline)
    if not isinstance(services, list):
        raise NotEvidence("gcloud run services list: its output is not a list")
    listed = any(
        isinstance(s, dict) and (s.get("metadata") or {}).get("name") == service for s in services
    )
    code, _, errors = run_program(
        ["gcloud", "run", "services", "describe", service, *options], deadline
    )
    absent = re.search(
        rf"\(gcloud\.run\.services\.describe\) (Cannot find service \[{service}\]|NOT_FOUND\b)",
        errors,
    )
    if code != 0 and not absent and not listed:
        raise NotEvidence(f"gcloud run services describe: {errors or f'exit code {code}'}")
    problems = [f"{service} is still there"] if listed or code == 0 else []
    report.judge("cloud-run-service", problems, f"{service} does not exist in {project}")
