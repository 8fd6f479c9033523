import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { queryFor } from '#api/query.ts'

type Props = SelectProps<number> & { of: 'districts' | 'stations' }

/** A select of visible education departments, or of police stations. */
export const DeptSelect = ({ of, ...rest }: Props) => {
  const { data, isFetching } = useQuery({ ...queryFor(schoolEdits.options), staleTime: 60_000 })
  const options = (data?.[of] ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <Select loading={isFetching} options={options} showSearch={{ optionFilterProp: 'label' }} {...rest} />
}
