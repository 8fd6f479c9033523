/** The greeting key of the dashboard for this hour, 0 to 23. */
export const partOfDay = (hour: number): 'night' | 'morning' | 'forenoon' | 'afternoon' | 'evening' => {
  if (hour < 6) return 'night'
  if (hour < 8) return 'morning'
  if (hour < 12) return 'forenoon'
  return hour < 18 ? 'afternoon' : 'evening'
}
