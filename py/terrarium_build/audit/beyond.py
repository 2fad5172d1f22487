"""What no Content Security Policy covers: new windows, links, downloads, navigation, WebRTC, look-ups ahead of a link.

Here the page rests on its own code. Three things stand for that: each way is tried in the sealed page and its outcome
reported (`attempt_beyond`), the project's own sources are searched for the means (own_code.py), and while the whole
scenario runs nothing may use them (`WATCH_OWN_CODE`).
"""

from __future__ import annotations

import time

from playwright.sync_api import Error

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.controls import Attempt
from terrarium_build.audit.net_log import NetEvent
from terrarium_build.driving import TerrariumPage

LINK = """(url) => {
    const link = Object.assign(document.createElement("%s"), %s);
    document.body.append(link);
    link.click?.();
    return "done";
}"""
WAYS = {
    "window.open": "(url) => (window.open(url) ? 'done' : 'no window')",
    "window.open, noopener": "(url) => (window.open(url, '_blank', 'noopener'), 'done')",
    "window.open, blank then image": """(url) => {
        const made = window.open("about:blank");
        made.document.body.append(Object.assign(made.document.createElement("img"), { src: url }));
        return "done";
    }""",
    "a[target=_blank]": LINK % ("a", "{ href: url, target: '_blank' }"),
    "a[download]": LINK % ("a", "{ href: url, download: 'x' }"),
    "form, new window": """(url) => {
        const form = Object.assign(document.createElement("form"), { action: url, target: "_blank" });
        document.body.append(form);
        form.submit();
        return "done";
    }""",
    "RTCPeerConnection": """async (url) => {
        const host = new URL(url).host;
        const iceServers = [{ urls: `stun:${host}` }, { urls: `turn:${host}?transport=tcp`, username: "u", credential: "secret" }];
        const connection = new RTCPeerConnection({ iceServers });
        connection.createDataChannel("x");
        await connection.setLocalDescription(await connection.createOffer());
        await new Promise((resolve) => setTimeout(resolve, 800));
        connection.close();
        return "done";
    }""",
    "link[rel=preconnect]": LINK % ("link", "{ rel: 'preconnect', href: url.replace('127.0.0.1', 'preconnect.example') }"),
    "link[rel=dns-prefetch]": LINK % ("link", "{ rel: 'dns-prefetch', href: url.replace('127.0.0.1', 'look-up.example') }"),
    "link in the page": LINK % ("a", "{ href: url }"),
    "location": "(url) => { location.href = url; return 'done'; }",
}
PATIENCE = 0.8  # seconds for each

# Runs before the page's own scripts. What it notes must stay empty, but for downloads of the page's own blobs.
WATCH_OWN_CODE = """{
    const seen = (window.auditSeen = []);
    const note = (what, target) => seen.push(`${what} ${String(target).slice(0, 200)}`);
    const local = (url) => /^(blob:|data:|about:)/.test(url) || new URL(url, location.href).href.split("#")[0] === location.href.split("#")[0];
    const { click } = HTMLElement.prototype;
    HTMLElement.prototype.click = function () {
        if (this instanceof HTMLAnchorElement && !(this.hasAttribute("download") && this.href.startsWith("blob:"))) note("click", this.href);
        return click.call(this);
    };
    for (const name of ["open", "RTCPeerConnection", "webkitRTCPeerConnection"]) {
        const real = window[name];
        if (real) window[name] = function (...args) { note(name, args[0]); return new.target ? new real(...args) : real.apply(this, args); };
    }
    const ADDRESSES = ["src", "srcset", "href", "xlink:href", "action", "formaction", "data", "poster", "ping", "background"];
    const OWN_FOLDER = new URL(".", location.href).href;
    const check = (element) => {
        const own = ["SCRIPT", "LINK"].includes(element.tagName);
        for (const name of ADDRESSES) {
            const value = element.getAttribute(name);
            if (!value || local(value) || (own && new URL(value, location.href).href.startsWith(OWN_FOLDER))) continue;
            note(`<${element.tagName.toLowerCase()} ${name}>`, value);
        }
        for (const name of element.getAttributeNames()) if (name.startsWith("on")) note(`<${element.tagName.toLowerCase()} ${name}>`, element.getAttribute(name));
        if (["IFRAME", "OBJECT", "EMBED", "FRAME", "BASE"].includes(element.tagName)) note("element", element.tagName);
        if (element.tagName === "META" && element.httpEquiv.toLowerCase() === "refresh") note("element", "META refresh");
    };
    new MutationObserver((records) => {
        for (const { target, addedNodes, type } of records) {
            if (type === "attributes") check(target);
            for (const node of addedNodes) if (node instanceof Element) [node, ...node.querySelectorAll("*")].forEach(check);
        }
    }).observe(document, { subtree: true, childList: true, attributes: true });
    window.navigation?.addEventListener("navigate", ({ destination, downloadRequest, navigationType }) => {
        const own = destination.sameDocument || navigationType === "reload" || (downloadRequest !== null && destination.url.startsWith("blob:"));
        if (!own) note("navigate", destination.url);
    });
}"""


def attempt_beyond(driven: TerrariumPage, attacker: Attacker) -> list[Attempt]:
    """Each way by itself; those that leave an open page come last."""
    attempts = []
    for way, code in WAYS.items():
        start = time.time()
        try:
            result = str(driven.page.evaluate(code, f"{attacker.url}/beyond/{len(attempts)}"))
        except Error as error:
            result = error.message.splitlines()[0]
        driven.page.wait_for_timeout(PATIENCE * 1000)
        end = time.time()
        if driven.page.url.startswith(attacker.url):
            driven.page.go_back(wait_until="commit")
        for page in driven.page.context.pages:
            if page != driven.page:
                page.close()
        attempts.append(Attempt("page", way, result, start, end, bool(attacker.since(start))))
    return attempts


def with_any_event(attempts: list[Attempt], events: list[NetEvent]) -> list[Attempt]:
    """For attempts that were made one at a time: anything in Chromium's log between start and end is theirs."""
    return [
        Attempt(a.place, a.channel, a.result, a.start, a.end, a.arrived, any(a.start <= e.time <= a.end for e in events))
        for a in attempts
    ]
