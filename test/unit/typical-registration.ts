/**
 * The registration by which sizes and costs are measured: every usual field of the form, and two answers to questions
 * with the ids that the service gives.
 */
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";

const time = 1_893_456_000_000;
const queueKey = `${time}#01PS0S8H00ZK7M2V9Q4D6T8XBE`;

export const typicalRegistration: RegistrationRecord = {
  email: "grace.hopper@student.example",
  eventID: "career-night",
  year: 2030,
  status: "registered",
  fname: "Grace",
  studentId: "12345678",
  basicInformation: {
    fname: "Grace",
    lname: "Hopper",
    year: "3rd Year",
    faculty: "Commerce",
    major: "Business and Computer Science",
    gender: "She/Her",
    diet: "Vegetarian",
    heardFrom: "Instagram",
    studentId: "12345678",
  },
  dynamicResponses: {
    "5b0c8f2e-7d41-4c6a-9e13-2f8a6b70d4c5": "Pitching and design",
    "d94e1a37-06bf-4f52-8a7c-e1503c9b2d68": "To meet people who build things.",
  },
  choices: { "5b0c8f2e-7d41-4c6a-9e13-2f8a6b70d4c5": "Pitching and design" },
  isPartner: false,
  points: 0,
  entryPrice: 0,
  queueKey,
  generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
  version: 1,
  noticeVersion: 1,
  ticketId: "q7V0a1mX9pLr4Tz8KdYw2g",
  calendarUid: "01PS0S8H00D5R2Y8C1V6K9N4QA",
  createdAt: time,
  updatedAt: time,
};
