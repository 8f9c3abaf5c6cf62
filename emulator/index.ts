export { startEmulator, type Emulator } from "./start";
export { Faults } from "./faults";
export type { AnswerFault, DelayFault, DropFault, Work, WorkAction, WorkFault } from "./faults";
export type { Exchange, ExchangeAction, Rule } from "./faults/actions";
export type { RequestFault } from "./faults/catalogue";
export type { Clock } from "./clock";
export type { Kind, RequestEntry, ShareRecord, Status, TunnelRecord } from "./records";
export type { Settings } from "./settings";
