import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { DateRangeFilter, Filter } from '../list/filters.tsx'
import type { EntityCalls, EntityFilter } from './entity-types.ts'
import { filterFor } from './schema-controls.tsx'

type Props<C extends EntityCalls> = { query: z.ZodObject; filters: readonly EntityFilter<C>[] }

/** The filters of an entity, each with the control that its schema asks for. */
export const EntityFilters = <C extends EntityCalls>({ query, filters }: Props<C>) => {
  const { t } = useTranslation()
  return filters.map((filter) => {
    const { name, control } = typeof filter === 'string' ? { name: filter } : filter
    if (name === 'createTime')
      return <DateRangeFilter key={name} label={t('list.createdTime')} hint={t('list.createdHint')} />
    return (
      <Filter key={name} of={query} name={name}>
        {control ?? filterFor(query.shape[name] as z.ZodType)}
      </Filter>
    )
  })
}
