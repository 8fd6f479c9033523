import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'

/** From an alarm that was handed to the police to their incident, for users who may see it. */
export const IncidentLink = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const mayRead = useHasPermission('police:situation:query')
  const { data } = useQuery({ ...queryFor(situations.ofRecord, { query: { recordId } }), enabled: mayRead })
  if (!data) return null
  return (
    <Link to={`/police/situation/detail/${data.id}`}>
      {t('police.incident')} {data.no}
    </Link>
  )
}
