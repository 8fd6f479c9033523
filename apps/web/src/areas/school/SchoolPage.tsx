import { SchoolQuery, type SchoolRow, schoolStages, schoolStatuses, schools } from '@tocsin/contract/school/school'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { Filter, EnumSelect } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { PlacesDrawer } from './PlacesDrawer.tsx'
import { schoolColumns } from './school-columns.tsx'
import { SchoolDrawer } from './SchoolDrawer.tsx'

export const SchoolPage = () => {
  const { t } = useTranslation()
  const mayPlaces = useHasPermission('school:place:query')
  const [open, setOpen] = useState<{ school: SchoolRow; what: 'detail' | 'places' }>()
  const actions = (school: SchoolRow) => (
    // The row itself opens the detail.
    <Flex gap={4} onClick={(event) => event.stopPropagation()}>
      <Button size="small" type="link" onClick={() => setOpen({ school, what: 'detail' })}>
        {t('list.detail')}
      </Button>
      {mayPlaces && (
        <Button size="small" type="link" onClick={() => setOpen({ school, what: 'places' })}>
          {t('school.places')}
        </Button>
      )}
    </Flex>
  )
  return (
    <>
      <ListPage
        query={SchoolQuery}
        source={(query) => queryFor(schools.page, { query })}
        columns={schoolColumns}
        rowKey={({ id }) => id}
        filters={
          <>
            <Filter of={SchoolQuery} name="keyword">
              <Input allowClear maxLength={64} />
            </Filter>
            <Filter of={SchoolQuery} name="stage">
              <EnumSelect kind="stage" values={schoolStages} />
            </Filter>
            <Filter of={SchoolQuery} name="status">
              <EnumSelect kind="schoolStatus" values={schoolStatuses} />
            </Filter>
          </>
        }
        actions={actions}
        onOpen={(school) => setOpen({ school, what: 'detail' })}
        empty={{ text: t('school.noSchools') }}
      />
      {open?.what === 'places' && <PlacesDrawer school={open.school} onClose={() => setOpen(undefined)} />}
      {open?.what === 'detail' && <SchoolDrawer school={open.school} onClose={() => setOpen(undefined)} />}
    </>
  )
}
