/** The first events of the local stage. */

/** Body of `POST /events`. */
export type SeedEvent = Readonly<Record<string, unknown> & { id: string; year: number }>;

/** In the year after `now`, so that registration is always open. */
export function seedEvents(now: Date): readonly SeedEvent[] {
  const year = now.getUTCFullYear() + 1;
  const day = (monthAndDay: string, time: string) => `${year}-${monthAndDay}T${time}:00`;
  return [
    {
      id: "kickoff",
      year,
      ename: "Kickoff Night",
      description: "Meet the club, the executives and everybody else who is new.",
      partnerDescription: "A table in the hall, from five o'clock on.",
      elocation: "Great Hall",
      capac: 120,
      startDate: day("01-15", "18:00"),
      endDate: day("01-15", "21:00"),
      deadline: day("01-14", "23:59"),
      isPublished: true,
      registrationQuestions: [
        { questionId: "why", label: "What brings you here?", type: "TEXT", required: false, charLimit: 500 },
        {
          questionId: "workshop",
          label: "Which workshop do you join?",
          type: "WORKSHOP_SELECTION",
          required: true,
          choices: ["Pitching", "Prototyping"],
          participantCap: 60,
        },
      ],
      partnerRegistrationQuestions: [
        {
          questionId: "table",
          label: "What do you bring to your table?",
          type: "TEXT",
          required: false,
          charLimit: 500,
        },
      ],
    },
    {
      id: "roundtable",
      year,
      ename: "Founders' Roundtable",
      description: "Six people and two founders at one table. Nearly full.",
      partnerDescription: "The founders' own seats.",
      elocation: "Room 204",
      capac: 3,
      startDate: day("01-22", "17:30"),
      endDate: day("01-22", "19:00"),
      deadline: day("01-21", "23:59"),
      isPublished: true,
    },
    {
      id: "gala",
      year,
      ename: "Industry Gala",
      description: "Dinner with the people who hire. Tickets cost less for members.",
      partnerDescription: "A seat at each of two tables, and a word before the dinner.",
      elocation: "Harbour Centre",
      capac: 80,
      startDate: day("02-20", "18:30"),
      endDate: day("02-20", "23:00"),
      deadline: day("02-13", "23:59"),
      isPublished: true,
      pricing: { member: 25, nonMember: 40 },
    },
    {
      id: "accelerator",
      year,
      ename: "Product Accelerator",
      description: "Ten weeks, five teams. Apply with a few sentences about yourself.",
      partnerDescription: "A mentor for each team.",
      elocation: "Room 101",
      capac: 25,
      startDate: day("02-01", "10:00"),
      endDate: day("04-11", "18:00"),
      deadline: day("01-25", "23:59"),
      isPublished: true,
      isApplicationBased: true,
      registrationQuestions: [
        { questionId: "idea", label: "What would you like to build?", type: "TEXT", required: true, charLimit: 2000 },
        { questionId: "skills", label: "Skills", type: "SKILLS", required: false, isSkillsQuestion: true },
      ],
    },
    {
      id: "summit-draft",
      year,
      ename: "Summit (draft)",
      description: "Not announced yet: only admins see it.",
      partnerDescription: "Nothing is fixed yet.",
      elocation: "Great Hall",
      capac: 300,
      startDate: day("03-28", "09:00"),
      deadline: day("03-21", "23:59"),
      isPublished: false,
    },
  ];
}

/** Guests who are already registered for the roundtable: one seat is left. */
export const seedGuests: readonly { readonly email: string; readonly fname: string }[] = [
  { email: "ada@student.example", fname: "Ada" },
  { email: "grace@student.example", fname: "Grace" },
];
