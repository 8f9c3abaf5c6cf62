interface WithStatus {
  status: string;
}

/** True if the resource exists and is not being deleted. */
export const isPresent = (seen: WithStatus | undefined): boolean =>
  seen !== undefined && seen.status !== "DELETED" && seen.status !== "DELETING";

/** True if the service is at work on the resource. An unknown status means work under way. */
export const isBusy = ({ status }: WithStatus): boolean => !["DEPLOYED", "ERROR", "DELETED"].includes(status);

/** True if only a replacement helps: the service cannot bring such a tunnel back. */
export const hasEnded = ({ status }: WithStatus): boolean => ["ERROR", "DELETING", "DELETED"].includes(status);
