export interface Period {
  from: string;
  to: string;
  value: number;
}
export interface Worker {
  id: string;
  born: string;
  pay: Period[];
  apprentice: { from: string; firstYearEnds: string; to: string } | null;
}
export function payroll(count: number, seed: number): Worker[];
export function payrollProgram(workers: readonly Worker[]): string;
export function shortfalls(worker: Worker): Period[];
