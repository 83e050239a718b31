/** The script of the reference page: starts Swagger UI, and signs in by the buttons of the laptop's page. */

const scheme = "idToken";
const said = document.querySelector("#signed-in");

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
