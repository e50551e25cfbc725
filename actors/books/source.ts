/** The source that samples the order books of tracked assets, and follows the large orders in them. */
import { minute } from '../../config/time.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import { roundsJob } from '../sources/leading-markets.ts';
import { Books, type BooksInputs } from './books.ts';

/** Between two samples of all books, ms. */
const every = minute;
const samplesJob = (books: Books): Job =>
  roundsJob({
    name: 'samples',
    every,
    wait: async () => {
      await books.adopt();
      return 0;
    },
    round: ({ now, signal }) => books.sample(now, signal),
  });

export const booksSource = (inputs: BooksInputs): JobSource => ({
  id: 'order-books',
  jobs: (context: JobContext) => [samplesJob(new Books(inputs, context))],
});
