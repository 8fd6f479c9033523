import { schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import type { MapRing } from '#ui/map/map-shapes.ts'

const noRings: readonly MapRing[] = []

/** The grounds and the position of a school, to find a place on the map; unknown without the permission to read it. */
export const useSchoolArea = (schoolId: number) => {
  const mayRead = useHasPermission('school:school:query')
  const { data, isLoading } = useQuery({ ...queryFor(schools.get, { query: { id: schoolId } }), enabled: mayRead })
  return useMemo(() => {
    const { name = '', geofence = null, lng = null, lat = null } = data ?? {}
    const context: readonly MapRing[] = geofence
      ? [{ key: 'school', kind: 'fence', label: name, polygon: geofence }]
      : noRings
    return { isLoading, context, near: lng === null || lat === null ? undefined : { lng, lat } }
  }, [data, isLoading])
}
