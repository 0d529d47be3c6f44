"""The manifests: built by kustomize, held against the API's schemas, and true of the server."""

import re
import tomllib
from typing import Any

import kubernetes_validate
import pytest
import yaml

from livebutton.gateway.pages import FOLDERS
from livebutton.settings import Settings
from tests.frame.programs import DEPLOY, ROOT, run, tool

pytestmark = pytest.mark.real

FOLDER = DEPLOY / "kubernetes"
# The oldest and the newest that the schemas are there for.
VERSIONS = ("1.25", "1.37")

Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def built() -> dict[str, Manifest]:
    """What `kubectl apply -k` would send, by its kind."""
    text = run(tool("kubectl"), "kustomize", FOLDER)
    manifests = list(yaml.safe_load_all(text))
    by_kind = {manifest["kind"]: manifest for manifest in manifests}
    assert len(by_kind) == len(manifests)
    return by_kind


@pytest.fixture
def pod(built: dict[str, Manifest]) -> Manifest:
    spec: Manifest = built["Deployment"]["spec"]["template"]["spec"]
    return spec


@pytest.fixture
def container(pod: Manifest) -> Manifest:
    (only,) = pod["containers"]
    return dict(only)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_api_knows_every_field_of_every_manifest(
    built: dict[str, Manifest], version: str
) -> None:
    for manifest in built.values():
        kubernetes_validate.validate(manifest, version, strict=True)


def test_a_misspelt_field_would_be_found(built: dict[str, Manifest]) -> None:
    spoilt = {**built["Deployment"], "spec": {**built["Deployment"]["spec"], "replica": 2}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(spoilt, VERSIONS[-1], strict=True)


def test_every_file_of_the_folder_is_built(built: dict[str, Manifest]) -> None:
    files = {path.name for path in FOLDER.iterdir()} - {"kustomization.yaml"}
    assert set(yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]) == files
    assert len(built) == len(files)
    for manifest in built.values():
        if manifest["kind"] != "Namespace":
            assert manifest["metadata"]["namespace"] == built["Namespace"]["metadata"]["name"]


def test_everything_that_selects_pods_selects_the_servers(built: dict[str, Manifest]) -> None:
    labels = built["Deployment"]["spec"]["template"]["metadata"]["labels"]
    selectors = [
        built["Deployment"]["spec"]["selector"]["matchLabels"],
        built["Service"]["spec"]["selector"],
        built["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        built["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        *(
            spread["labelSelector"]["matchLabels"]
            for spread in built["Deployment"]["spec"]["template"]["spec"][
                "topologySpreadConstraints"
            ]
        ),
    ]
    assert all(selector == labels for selector in selectors)


def test_the_probes_ask_what_the_server_answers(container: Manifest) -> None:
    assert container["livenessProbe"]["httpGet"]["path"] == "/health/live"
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    arguments = container["args"]
    assert ports == {"http": int(arguments[arguments.index("--port") + 1])}
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["httpGet"]["port"] == "http"


def test_the_pod_is_given_the_pause_and_then_the_minute_that_the_drain_has_everywhere(
    built: dict[str, Manifest], pod: Manifest, container: Manifest
) -> None:
    word, pause_s = container["lifecycle"]["preStop"]["exec"]["command"]
    assert word == "sleep"
    assert pod["terminationGracePeriodSeconds"] - int(pause_s) >= 60
    assert float(built["ConfigMap"]["data"]["LIVEBUTTON_DRAIN_S"]) == Settings().drain_s


def test_the_pod_may_do_nothing_that_a_restricted_namespace_forbids(
    built: dict[str, Manifest], pod: Manifest, container: Manifest
) -> None:
    labels = built["Namespace"]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    user = re.search(r"^USER (\d+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert user is not None
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == int(user[1])
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_what_the_server_writes_to_is_mounted_and_the_archive_is_shared(
    built: dict[str, Manifest], pod: Manifest, container: Manifest
) -> None:
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    data = container["args"][container["args"].index("--data") + 1]
    claim = volumes[mounts[data]]["persistentVolumeClaim"]["claimName"]
    assert claim == built["PersistentVolumeClaim"]["metadata"]["name"]
    assert built["PersistentVolumeClaim"]["spec"]["accessModes"] == ["ReadWriteMany"]
    assert "emptyDir" in volumes[mounts["/tmp"]]  # noqa: S108


def test_the_settings_are_settings_and_the_secret_is_nowhere(
    built: dict[str, Manifest], pod: Manifest, container: Manifest
) -> None:
    known = {f"LIVEBUTTON_{name.upper()}" for name in Settings.model_fields}
    data = dict(built["ConfigMap"]["data"])
    # uvicorn's own, which has no flag of ours.
    assert data.pop("FORWARDED_ALLOW_IPS")
    assert set(data) < known
    Settings(**{name.removeprefix("LIVEBUTTON_").lower(): value for name, value in data.items()})
    assert {"configMapRef": {"name": "livebutton"}} in container["envFrom"]
    assert {"secretRef": {"name": "livebutton"}} in container["envFrom"]
    assert "Secret" not in built
    # A service of that name would set LIVEBUTTON_PORT in every pod.
    assert pod["enableServiceLinks"] is False


def test_the_room_reaches_every_page_and_the_socket_but_not_the_metrics(
    built: dict[str, Manifest],
) -> None:
    (rule,) = built["Ingress"]["spec"]["rules"]
    paths = {path["path"]: path["pathType"] for path in rule["http"]["paths"]}
    prefixes = {path for path, kind in paths.items() if kind == "Prefix"}
    assert prefixes == {"/v1", *(f"/{folder}" for folder in FOLDERS)}
    exact = {path for path, kind in paths.items() if kind == "Exact"}
    assert exact == {"/", "/openapi.json", "/asyncapi.json"}
    (service,) = {str(path["backend"]) for path in rule["http"]["paths"]}
    assert built["Service"]["metadata"]["name"] in service
    (tls,) = built["Ingress"]["spec"]["tls"]
    assert tls["hosts"] == [rule["host"]]


def test_the_proxies_of_both_kinds_are_equally_patient(built: dict[str, Manifest]) -> None:
    nginx = (DEPLOY / "nginx.conf").read_text()
    said = built["Ingress"]["metadata"]["annotations"]
    for name in ("proxy-read-timeout", "proxy-send-timeout", "proxy-connect-timeout"):
        found = re.search(rf"{name.replace('-', '_')} (\d+)s;", nginx)
        assert found is not None
        assert said[f"nginx.ingress.kubernetes.io/{name}"] == found[1]


def test_one_server_goes_at_a_time(built: dict[str, Manifest]) -> None:
    spec = built["Deployment"]["spec"]
    assert spec["replicas"] >= 2
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert built["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 1


def test_the_image_is_of_the_version_that_is_here(container: Manifest) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert container["image"].endswith(f":{version}")
