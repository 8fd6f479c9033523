import { SchoolQuery, SchoolRow, schoolStages, schoolStatuses, schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, readInPlace } from '#api/query.ts'
import { useCan } from '#api/session.ts'
import { Answer } from '#ui/statement/Answer.tsx'
import { column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { Filter, Words } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { PlacesDrawer } from './PlacesDrawer.tsx'

const columns = [
  column(SchoolRow, 'name', { main: true }),
  column(SchoolRow, 'code', { wideOnly: true }),
  column(SchoolRow, 'stage', { word: 'stage' }),
  column(SchoolRow, 'areaType', { word: 'areaType', wideOnly: true }),
  column(SchoolRow, 'policeDeptName'),
  column(SchoolRow, 'studentCount', { figure: true, wideOnly: true }),
  column(SchoolRow, 'deviceCount', { figure: true }),
  column(SchoolRow, 'dutyPhone'),
  column(SchoolRow, 'readiness', { figure: true, wideOnly: true }),
  column(SchoolRow, 'status', { tag: 'schoolStatus' }),
]

const facts = [
  ...columns,
  column(SchoolRow, 'boarderCount'),
  column(SchoolRow, 'staffCount'),
  column(SchoolRow, 'address'),
  column(SchoolRow, 'createTime'),
  column(SchoolRow, 'updateTime'),
]

const Detail = ({ id }: { id: number }) => {
  const query = useQuery(readInPlace(schools.get, { query: { id } }))
  return <Answer query={query}>{(school) => <Facts row={school} columns={facts} />}</Answer>
}

export const SchoolPage = () => {
  const { t } = useTranslation()
  const mayPlaces = useCan('school:place:query')
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
        source={(query) => read(schools.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={
          <>
            <Filter of={SchoolQuery} name="keyword">
              <Input allowClear maxLength={64} />
            </Filter>
            <Filter of={SchoolQuery} name="stage">
              <Words kind="stage" values={schoolStages} />
            </Filter>
            <Filter of={SchoolQuery} name="status">
              <Words kind="schoolStatus" values={schoolStatuses} />
            </Filter>
          </>
        }
        actions={actions}
        onOpen={(school) => setOpen({ school, what: 'detail' })}
        empty={{ text: t('school.noSchools') }}
      />
      {open?.what === 'places' && <PlacesDrawer school={open.school} onClose={() => setOpen(undefined)} />}
      {open?.what === 'detail' && (
        <ReadDrawer onClose={() => setOpen(undefined)} size="min(720px, 100vw)" title={open.school.name}>
          <Detail id={open.school.id} />
        </ReadDrawer>
      )}
    </>
  )
}
