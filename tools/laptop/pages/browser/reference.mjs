/**
 * The script of the reference page: starts Swagger UI, by day and night, and signs in by the buttons of the laptop's page.
 */

const scheme = "idToken";
const said = document.querySelector("#signed-in");

const darkness = matchMedia("(prefers-color-scheme: dark)");
const followDarkness = () => document.documentElement.classList.toggle("dark-mode", darkness.matches);
followDarkness();
darkness.addEventListener("change", followDarkness);

/** Swagger UI shows summaries as they are, with the backticks around code. */
function showCode(summary) {
  const parts = summary.textContent.split("`");
  if (parts.length < 3) return;
  const isCode = (at) => at % 2 === 1;
  summary.replaceChildren(
    ...parts.map((part, at) =>
      isCode(at) ? Object.assign(document.createElement("code"), { textContent: part }) : part,
    ),
  );
}
new MutationObserver(() => {
  for (const summary of document.querySelectorAll(".opblock-summary-description")) showCode(summary);
}).observe(document.querySelector("#reference"), { childList: true, subtree: true });

const ui = globalThis.SwaggerUIBundle({
  url: new URL("openapi.json", import.meta.url).href,
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});

async function signIn(email) {
  const answer = await fetch("/local/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  const { token, message } = await answer.json();
  if (!answer.ok) throw new Error(message);
  ui.preauthorizeApiKey(scheme, token);
  // Swagger UI knows no scheme before it has loaded the document.
  if (!ui.authSelectors.authorized().has(scheme)) throw new Error("the reference is still loading");
}

function mark(pressed, sentence) {
  for (const button of document.querySelectorAll("[data-sign-in]")) {
    button.setAttribute("aria-pressed", String(button.dataset.signIn === pressed));
  }
  said.textContent = sentence;
}

document.addEventListener("click", ({ target }) => {
  const email = target.closest("[data-sign-in]")?.dataset.signIn;
  if (email === undefined) return;
  if (email === "") {
    ui.authActions.logout([scheme]);
    mark("", "Requests are sent without a token.");
    return;
  }
  signIn(email).then(
    () => mark(email, `Requests are sent as ${email}.`),
    (problem) => mark("", `Not signed in: ${problem.message}`),
  );
});
