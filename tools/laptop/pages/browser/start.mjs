/** The script of the start page: copies tokens and keeps the lists up to date. */

/** Milliseconds between polls. */
const pause = 2_000;

const said = document.querySelector("#token-said");
const field = document.querySelector("#token");

/** A token is made when a person asks for it. */
async function copyToken(email) {
  const answer = await fetch("/local/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  const { token, message } = await answer.json();
  if (!answer.ok) throw new Error(message);
  field.value = token;
  field.hidden = false;
  try {
    await navigator.clipboard.writeText(token);
    said.textContent = `The token of ${email} is copied.`;
  } catch {
    field.focus();
    field.select();
    said.textContent = "The browser does not allow copying: copy the selected text.";
  }
}

document.addEventListener("click", ({ target }) => {
  const email = target.closest("[data-token-of]")?.dataset.tokenOf;
  if (email === undefined) return;
  copyToken(email).catch((problem) => {
    said.textContent = `There is no token: ${problem.message}`;
  });
});

/** Each list as last read; the page itself may differ, because a person has opened a part of it. */
const known = new Map();
const partsOf = (page) => [...page.querySelectorAll("[data-live]")];
for (const part of partsOf(document)) known.set(part.id, part.innerHTML);

function replace(part, news) {
  const open = [...part.querySelectorAll("details[open]")].map(({ id }) => id);
  part.innerHTML = news;
  for (const each of part.querySelectorAll("details")) each.open = open.includes(each.id);
}

/** Reads the page again and replaces the lists that have changed. The server has escaped everything in them. */
async function look() {
  if (document.visibilityState !== "visible" || !document.getSelection().isCollapsed) return;
  const answer = await fetch("/");
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const { id, innerHTML } of partsOf(page)) {
    if (known.get(id) === innerHTML) continue;
    known.set(id, innerHTML);
    replace(document.getElementById(id), innerHTML);
  }
}

/** A failed poll is repeated: the stage may be restarting. */
setInterval(() => look().catch(() => undefined), pause);
